// Form fields, drawn from metadata: one for every display type. What is typed becomes what a body has.
import { ask, entityOf } from './api.js';
import { fill, fresh, h, rested } from './dom.js';
import { keyOf, nameOf, quotedLiteral } from './format.js';
import { words } from './words.js';

/**
 * @typedef {{element: HTMLElement, value: () => any, isTouched: () => boolean, set: (value: any) => void,
 *   wrong: (text: string) => void, focus: () => void}} Field
 * @typedef {import('./api.js').Property} Property
 */

/** Which control a display type has; the first that is known counts. */
export const controls = {
  Checkbox: checkbox, DatePicker: dateOf('date'), DateTimePicker: dateOf('datetime-local'), Lookup: lookup, MultiLookup: lookup,
  MultiSelect: select, ListBox: select, Select: select, TieredSelect: lookup, Numeric: numeric, Password: password, Text: text,
  RichText: area, TextArea: area,
};
/** And a data type, where no display type is known. */
const byData = { Boolean: 'Checkbox', DateTime: 'DateTimePicker', Lookup: 'Lookup', RichText: 'TextArea', Text: 'Text', Integer: 'Numeric',
  Long: 'Numeric', Short: 'Numeric', Float: 'Numeric', Double: 'Numeric', Decimal: 'Numeric' };

/** @param {Property} property @param {any} [value] what it has now @returns {Field | null} */
export function fieldOf(property, value) {
  const known = property.displayTypes?.find((each) => each in controls) ?? byData[property.dataType];
  return known ? controls[known](property, value) : null;
}

/**
 * Label, help and complaint around a control.
 * @param {Property} property @param {HTMLElement} control @param {any} content what stands in the field
 * @param {() => any} value @param {(value: any) => void} set @returns {Field}
 */
function field(property, control, content, value, set) {
  const ids = { control: control.id || fresh('field'), help: fresh('help'), wrong: fresh('wrong') };
  control.id = ids.control;
  const isRequired = property.required || property.requiredInRecord;
  if (isRequired) control.setAttribute('aria-required', 'true');
  control.setAttribute('aria-describedby', `${ids.wrong} ${ids.help}`);
  const wrong = h('p', { id: ids.wrong, class: 'wrong', hidden: true });
  const element = h('div', { class: 'field', 'data-name': property.name },
    h('label', { for: ids.control }, property.displayName, isRequired ? h('small', {}, words.required) : null),
    content, wrong, property.description && h('p', { id: ids.help, class: 'help' }, property.description));
  const first = JSON.stringify(value());
  element.addEventListener('input', () => { wrong.hidden = true; control.removeAttribute('aria-invalid'); });
  return { element, value, set, isTouched: () => JSON.stringify(value()) !== first, focus: () => control.focus(),
    wrong: (said) => { fill(wrong, said); wrong.hidden = false; control.setAttribute('aria-invalid', 'true'); } };
}

/** @param {Property} property @param {HTMLInputElement} input @param {(text: string) => any} read @param {(value: any) => string} write */
function plain(property, input, read, write, /** @type {any} */ value) {
  input.value = value === null || value === undefined ? '' : write(value);
  return field(property, input, input, () => (input.value === '' ? null : read(input.value)),
    (given) => { input.value = given === null || given === undefined ? '' : write(given); });
}

/** @param {Property} property @param {any} value */
function text(property, value) {
  if (property.choices) return choice(property, value);
  if ((property.length ?? 0) > 255) return area(property, value);
  return plain(property, h('input', { type: 'text', dir: 'auto', maxlength: property.length }), String, written, value);
}

/** A list of words is written with blanks between them, as the server reads it. @param {any} value */
const written = (value) => (Array.isArray(value) ? value.join(' ') : String(value));

/** @param {Property} property @param {any} value */
function password(property, value) {
  return plain(property, h('input', { type: 'password', autocomplete: 'new-password', maxlength: property.length }), String, String, value);
}

/** @param {Property} property @param {any} value */
function area(property, value) {
  return plain(property, h('textarea', { dir: 'auto', maxlength: property.dataType === 'Text' ? property.length : null }), String, written, value);
}

/** As it is written, so that no digit of a long number is lost; the server judges what is none. @param {Property} property @param {any} value */
function numeric(property, value) {
  return plain(property, h('input', { type: 'text', inputmode: 'decimal' }), (typed) => {
    const number = Number(typed.replace(',', '.'));
    return Number.isFinite(number) && (Number.isSafeInteger(number) || typed.includes('.') || typed.includes(',')) ? number : typed;
  }, String, value);
}

/** @param {Property} property @param {any} value */
function checkbox(property, value) {
  const input = h('input', { type: 'checkbox', checked: Boolean(value ?? property.defaultValue) });
  const id = fresh('field'), help = fresh('help');
  input.id = id;
  const made = field(property, input, null, () => input.checked, (given) => { input.checked = Boolean(given); });
  const label = made.element.querySelector('label');
  label?.classList.add('inline');
  label?.prepend(input);
  made.element.querySelector('.help')?.setAttribute('id', help);
  input.setAttribute('aria-describedby', help);
  return made;
}

/** @param {'date' | 'datetime-local'} type */
function dateOf(type) {
  const write = (/** @type {string} */ moment) => {
    const date = new Date(moment);
    const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
    return type === 'date' ? local.slice(0, 10) : local.slice(0, 16);
  };
  return (/** @type {Property} */ property, /** @type {any} */ value) =>
    plain(property, h('input', { type }), (typed) => new Date(type === 'date' ? `${typed}T00:00` : typed).toISOString(), write, value);
}

/** @param {Property} property @param {any} value */
function choice(property, value) {
  const list = h('select', {}, h('option', { value: '' }, words.none), (property.choices ?? []).map((each) => h('option', { value: each }, each)));
  return plain(property, list, String, String, value ?? property.defaultValue);
}

/** Few of a kind: all of them. @param {Property} property @param {any} value */
function select(property, value) {
  const key = keyOf(value);
  const list = h('select', {}, h('option', { value: '' }, words.none));
  if (key !== null && key !== undefined)
    list.append(h('option', { value: String(key), selected: true }, typeof value === 'object' ? String(nameOf(value, property)) : String(key)));
  const made = plain(property, list, Number, (given) => String(keyOf(given)), key);
  let isAsked = false;
  const load = async () => {
    if (isAsked) return;
    isAsked = true;
    const rows = await candidates(property, '', 200).catch(() => { isAsked = false; return []; });
    const chosen = list.value;
    fill(list, h('option', { value: '' }, words.none), rows.map((each) => h('option', { value: String(each.key) }, String(each.name))));
    if (chosen && !rows.some((each) => String(each.key) === chosen)) list.append(h('option', { value: chosen }, chosen));
    list.value = chosen;
  };
  const see = new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting)) { see.disconnect(); load(); } });
  see.observe(list);
  list.addEventListener('focus', load);
  return made;
}

/** Records that a lookup may hold, by what their name holds. @param {Property} property @param {string} typed @param {number} most */
async function candidates(property, typed, most) {
  const entity = property.label ? null : await entityOf(property.type);
  const label = property.label ?? entity?.label;
  if (!label) return [];
  const { data } = await ask(property.type, { quiet: true, query: { $select: `Ref,${label}`, $top: most, $orderby: label,
    $filter: typed ? `${label}.Contains(${quotedLiteral(typed)})` : '' } });
  return data.results.map((/** @type {any} */ row) => ({ key: row.Ref ?? keyOf(row), name: row[label] ?? row.Ref }));
}

/** Many of a kind: found as one types. @param {Property} property @param {any} value */
function lookup(property, value) {
  const ids = { list: fresh('choices') };
  let key = value === undefined ? null : keyOf(value), name = key === null ? '' : String(typeof value === 'object' ? nameOf(value, property) : value);
  /** @type {{key: any, name: any}[]} */ let rows = [];
  let chosen = -1, turn = 0;
  const input = h('input', { type: 'text', role: 'combobox', autocomplete: 'off', 'aria-autocomplete': 'list', 'aria-expanded': 'false',
    'aria-controls': ids.list, placeholder: words.search1, value: name });
  const list = h('ul', { id: ids.list, role: 'listbox', class: 'listbox', hidden: true, 'aria-label': property.displayName });
  const close = () => { list.hidden = true; input.setAttribute('aria-expanded', 'false'); input.removeAttribute('aria-activedescendant'); };
  const mark = (/** @type {number} */ index) => {
    chosen = index;
    [...list.children].forEach((each, at) => each.setAttribute('aria-selected', String(at === index)));
    if (list.children[index]) input.setAttribute('aria-activedescendant', list.children[index].id);
  };
  const take = (/** @type {number} */ index) => {
    ++turn;   // what is asked for still comes too late
    ({ key, name } = rows[index]);
    input.value = String(name);
    close();
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  };
  const offer = rested(async (/** @type {number} */ mine) => {
    const typed = input.value === name ? '' : input.value.trim();
    const found = await candidates(property, typed, 12).catch(() => []);
    if (mine !== turn) return;
    rows = found;
    fill(list, rows.map((each, index) => h('li', { role: 'option', id: `${ids.list}-${index}`, 'aria-selected': 'false',
      onmousedown: (/** @type {Event} */ event) => { event.preventDefault(); take(index); } }, h('bdi', {}, String(each.name)))),
      rows.length === 0 && h('li', { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' }, words.noMatch));
    list.hidden = document.activeElement !== input;
    input.setAttribute('aria-expanded', String(!list.hidden));
    mark(rows.length ? 0 : -1);
  }, 150);
  input.addEventListener('input', (event) => { if (event instanceof InputEvent) { if (input.value !== name) key = null; offer(++turn); } });
  input.addEventListener('focus', () => { input.select(); });
  input.addEventListener('click', () => offer(++turn));
  input.addEventListener('blur', () => { close(); if (key === null) { name = ''; input.value = ''; } });
  input.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const isOpen = !list.hidden && rows.length > 0;
    if (event.key === 'ArrowDown' && !isOpen) offer(++turn);
    else if (isOpen && event.key === 'ArrowDown') mark((chosen + 1) % rows.length);
    else if (isOpen && event.key === 'ArrowUp') mark((chosen + rows.length - 1) % rows.length);
    else if (isOpen && event.key === 'Enter' && !event.ctrlKey) take(chosen);
    else if (isOpen && event.key === 'Tab') { take(chosen); return; }
    else if (!list.hidden && event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return field(property, input, h('div', { class: 'filter' }, input, list), () => key,
    (given) => { key = given === null || given === undefined ? null : keyOf(given); name = key === null ? '' : String(typeof given === 'object' ? nameOf(given, property) : given); input.value = name; });
}
