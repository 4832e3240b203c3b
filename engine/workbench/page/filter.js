// The box for a $filter. What is right or wrong says the server's own parser; here are an underline at the column that it
// named, its suggestion to take, and completion from metadata.
import { Refusal, ask, entityOf } from './api.js';
import { fill, fresh, h, rested } from './dom.js';
import { sentenceOf } from './trouble.js';
import { words } from './words.js';

/** @typedef {{text: string, insert: string, note: string, back?: number}} Choice */

/** How a property's values are compared, by example. @param {import('./api.js').Property} property @returns {Choice[]} */
function methodsOf(property) {
  if (property.dataType !== 'Text' && property.dataType !== 'RichText') return [];
  return ['Contains', 'StartsWith', 'EndsWith'].map((name) => ({ text: name, insert: `${name}("")`, note: 'Text', back: 2 }));
}

/** The entity that a path of lookups leads to. @param {string} entity @param {string[]} path */
async function follow(entity, path) {
  let at = await entityOf(entity);
  for (const [index, name] of path.entries()) {
    const property = at.properties.find((each) => each.name === name);
    if (!property) return null;
    if (property.dataType !== 'Lookup') return index === path.length - 1 ? { entity: null, property } : null;
    at = await entityOf(property.type);
  }
  return { entity: at, property: null };
}

/** @param {import('./api.js').Augmenter} each @returns {Choice} */
function augmenterChoice(each) {
  const parameters = each.parameters?.map((one) => one.name).join(', ');
  const insert = parameters === undefined || parameters === '' ? `@${each.name}` : `@${each.name}()`;
  return { text: `@${each.name}${parameters ? `(${parameters})` : ''}`, insert, note: each.description, back: parameters ? 1 : 0 };
}

/** Values of what stands left of a comparison. @param {string} entity @param {string[]} path @returns {Promise<string[]>} */
async function valuesOf(entity, path) {
  const owner = await follow(entity, path.slice(0, -1));
  const property = owner?.entity?.properties.find((each) => each.name === path.at(-1));
  if (!property) return [];
  if (property.choices) return property.choices;
  if (path.length < 2 || property.dataType !== 'Text' || property.name !== owner?.entity?.label) return [];
  const rows = await ask(owner.entity.name, { query: { $select: property.name, $top: 30, $orderby: property.name }, quiet: true });
  return rows.data.results.map((/** @type {any} */ row) => String(row[property.name] ?? '')).filter(Boolean);
}

/**
 * What may stand where the caret is, and from where on it takes the place of what is typed.
 * @param {string} entity @param {string} text up to the caret
 * @returns {Promise<{from: number, choices: Choice[]}>}
 */
export async function choicesAt(entity, text) {
  const value = /([\p{L}_][\w.]*)\s*(?:==|=|!=)\s*"([^"]*)$/u.exec(text);
  if (value) {
    const values = await valuesOf(entity, value[1].split('.'));
    const typed = value[2].toLowerCase();
    return { from: text.length - value[2].length, choices: values.filter((each) => each.toLowerCase().includes(typed))
      .map((each) => ({ text: each, insert: `${each}"`, note: '' })) };
  }
  if ((text.match(/"/g) ?? []).length % 2) return { from: text.length, choices: [] };
  const at = await entityOf(entity);
  const compared = /(?:^|[^.\w])([\p{L}_]\w*)\s*(?:==|=|!=)\s*(\d*)$/u.exec(text);
  if (compared && compared[1] === at.stateProperty)
    return { from: text.length - compared[2].length, choices: (at.states ?? [])
      .map((each) => ({ text: each.name, insert: String(each.value), note: `${each.value}` })) };
  const token = /(@?[\p{L}_]?\w*(?:\.\w*)*)$/u.exec(text)?.[1] ?? '';
  if (token === '') return { from: text.length, choices: [] };
  if (token.startsWith('@')) return { from: text.length - token.length, choices: begun(at.augmenters.map(augmenterChoice), token) };
  const path = token.split('.');
  const last = path.pop() ?? '';
  const reached = await follow(entity, path);
  if (!reached) return { from: text.length, choices: [] };
  const all = reached.property ? methodsOf(reached.property) : (reached.entity?.properties ?? [])
    .filter((each) => !each.noSearch && each.usage !== 'Internal').map(propertyChoice);
  return { from: text.length - last.length, choices: begun(all, last) };
}

/** @param {import('./api.js').Property} each @returns {Choice} */
const propertyChoice = (each) => ({ text: each.name, insert: each.name, note: `${each.dataType === 'Lookup' ? each.type : each.dataType}: ${each.description}` });

/** Those that begin so, then those that hold it. @param {Choice[]} choices @param {string} typed */
function begun(choices, typed) {
  const wanted = typed.toLowerCase();
  const rank = (/** @type {Choice} */ each) => (each.text.toLowerCase().startsWith(wanted) ? 0 : 1);
  return choices.filter((each) => each.text.toLowerCase().includes(wanted.replace(/^@/, ''))).sort((a, b) => rank(a) - rank(b)).slice(0, 12);
}

/** The word at a column (from 1), which counts characters. @param {string} text @param {number} column @param {string} [found] */
export function wordAt(text, column, found) {
  const start = [...text].slice(0, column - 1).join('').length;
  const word = found ?? /^[@\w.]+|^./u.exec(text.slice(start))?.[0] ?? '';
  return { start, end: start + (text.startsWith(word, start) ? word.length : 1) };
}

/**
 * @param {{entity: string, value: string, label: string, hideLabel?: boolean, placeholder?: string, apply?: (text: string) => void,
 *   check: (text: string, signal: AbortSignal) => Promise<string>, changed?: (text: string) => void}} options
 *   check: resolves to what is said of a right filter, or rejects with the server's refusal.
 */
export function filterBox(options) {
  const ids = { box: fresh('filter'), list: fresh('choices'), told: fresh('told'), help: fresh('help') };
  const mirror = h('pre', { class: 'mirror', 'aria-hidden': 'true' });
  const box = h('textarea', { id: ids.box, rows: '1', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', dir: 'ltr',
    role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': ids.list,
    'aria-describedby': `${ids.told} ${ids.help}`, placeholder: options.placeholder ?? null, value: options.value });
  const list = h('ul', { id: ids.list, role: 'listbox', class: 'listbox', 'aria-label': words.suggestions, hidden: true });
  const told = h('p', { id: ids.told, class: 'help', 'aria-live': 'polite' });
  /** @type {Choice[]} */ let choices = [];
  let from = 0, chosen = -1, asking = new AbortController();

  const draw = (/** @type {{start: number, end: number} | null} */ wrong) => {
    const text = box.value;
    fill(mirror, wrong ? [text.slice(0, wrong.start), h('mark', {}, text.slice(wrong.start, wrong.end) || ' '), text.slice(wrong.end)] : text);
    box.setAttribute('aria-invalid', String(Boolean(wrong)));
  };
  const close = () => {
    list.hidden = true;
    choices = [];
    chosen = -1;
    box.setAttribute('aria-expanded', 'false');
    box.removeAttribute('aria-activedescendant');
  };
  const mark = (/** @type {number} */ index) => {
    chosen = index;
    [...list.children].forEach((each, at) => each.setAttribute('aria-selected', String(at === index)));
    const active = list.children[index];
    if (active) { box.setAttribute('aria-activedescendant', active.id); active.scrollIntoView({ block: 'nearest' }); }
  };
  const take = (/** @type {number} */ index) => {
    const choice = choices[index];
    const end = box.selectionStart;
    const rest = box.value.slice(end).replace(choice.insert.endsWith('"') ? /^"/ : /^(?!)/, '');
    box.value = box.value.slice(0, from) + choice.insert + rest;
    const caret = from + choice.insert.length - (choice.back ?? 0);
    box.setSelectionRange(caret, caret);
    close();
    judge();
    box.focus();
  };
  const offer = async () => {
    if (!options.entity) return;
    const text = box.value.slice(0, box.selectionStart);
    const found = await choicesAt(options.entity, text).catch(() => ({ from: 0, choices: [] }));
    if (text !== box.value.slice(0, box.selectionStart) || document.activeElement !== box) return;
    ({ from, choices } = found);
    const typed = text.slice(from);
    if (!choices.length || (choices.length === 1 && choices[0].insert === typed)) return close();
    fill(list, choices.map((each, index) => h('li', { role: 'option', id: `${ids.list}-${index}`, 'aria-selected': 'false',
      onmousedown: (/** @type {Event} */ event) => { event.preventDefault(); take(index); } }, h('bdi', {}, each.text), each.note && h('small', {}, each.note))));
    list.hidden = false;
    box.setAttribute('aria-expanded', 'true');
    mark(0);
  };
  const check = rested(async () => {
    const text = box.value;
    asking.abort();
    asking = new AbortController();
    try {
      const said = await options.check(text, asking.signal);
      if (text === box.value) { draw(null); fill(told, said); told.className = 'help'; }
    } catch (error) {
      if (text === box.value && !asking.signal.aborted) wrong(error);
    }
  }, 250);
  const wrong = (/** @type {any} */ error) => {
    told.className = 'help wrong';
    const refusal = error instanceof Refusal ? error : null;
    const where = refusal?.position ? wordAt(box.value, refusal.position, refusal.found) : null;
    draw(where);
    fill(told, sentenceOf(error), ' ', where && refusal?.suggestion && h('button', { type: 'button', class: 'second small', onclick: () => {
      box.value = box.value.slice(0, where.start) + refusal.suggestion + box.value.slice(where.end);
      judge();
      box.focus();
    } }, words.use(refusal.suggestion)));
  };
  const judge = () => { draw(null); options.changed?.(box.value); check(); };
  const offerSoon = rested(offer, 60);

  box.addEventListener('input', () => { judge(); offerSoon(); });
  box.addEventListener('blur', close);
  box.addEventListener('scroll', () => { mirror.scrollTop = box.scrollTop; });
  box.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const isOpen = !list.hidden;
    if (event.key === ' ' && event.ctrlKey) offer();
    else if (isOpen && event.key === 'ArrowDown') mark((chosen + 1) % choices.length);
    else if (isOpen && event.key === 'ArrowUp') mark((chosen + choices.length - 1) % choices.length);
    else if (isOpen && event.key === 'Escape') close();
    else if (isOpen && (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && !event.ctrlKey) take(chosen);
    else if (event.key === 'Enter' && options.apply && !event.shiftKey) { close(); options.apply(box.value); }
    else return;
    event.preventDefault();
  });
  draw(null);
  if (options.value) check();
  const element = h('div', {},
    h('label', { for: ids.box, class: options.hideLabel ? 'unseen' : null }, options.label),
    h('div', { class: 'filter' }, box, mirror, list), told, h('p', { id: ids.help, class: 'unseen' }, words.filterHelp));
  return { element, box, wrong, set: (/** @type {string} */ text) => { box.value = text; judge(); }, say: (/** @type {string} */ text) => { fill(told, text); told.className = 'help'; } };
}
