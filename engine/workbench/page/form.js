// A form of an action: its parameters, the record's properties that may change with it, and what to do when it is refused.
import { Refusal } from './api.js';
import { fill, fresh, h } from './dom.js';
import { draftOf, dropDraft, keepDraft } from './draft.js';
import { fieldOf } from './fields.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

/**
 * @typedef {import('./api.js').Property} Property
 * @typedef {{element: any, fields: Map<string, {field: import('./fields.js').Field, isParameter: boolean, property: Property}>,
 *   body: () => Record<string, any>, tell: (content: any) => void, focus: () => void}} Form
 */

/**
 * @param {{title: string, description?: string, button: string, parameters: Property[], properties: Property[],
 *   open?: boolean, record?: any, draft: string, danger?: boolean, extra?: Record<string, (value: any) => import('./fields.js').Field>,
 *   send: (body: any) => Promise<void>, cancel?: () => void}} options
 *   open: the properties are what the form is about.
 * @returns {Form}
 */
export function actionForm(options) {
  const id = fresh('form');
  /** @type {Map<string, {field: import('./fields.js').Field, isParameter: boolean, property: Property}>} */
  const fields = new Map();
  const kept = draftOf(options.draft) ?? {};
  const make = (/** @type {Property} */ property, /** @type {boolean} */ isParameter) => {
    const now = options.record?.[property.name];
    const field = options.extra?.[property.name]?.(now) ?? fieldOf(property, isParameter ? undefined : now);
    if (!field || fields.has(property.name)) return null;
    fields.set(property.name, { field, isParameter, property });
    if (property.name in kept) field.set(kept[property.name]);
    return field.element;
  };
  const told = h('div', {});
  const parameters = options.parameters.map((each) => make(each, true));
  const needed = (/** @type {Property} */ each) => each.required || each.requiredInRecord || options.open;
  const first = options.properties.filter(needed).map((each) => make(each, false));
  const others = options.properties.filter((each) => !needed(each));
  const more = h('details', { class: 'field', ontoggle: () => {
    if (more.open && more.children.length === 1) more.append(h('div', { class: 'fields' }, others.map((each) => make(each, false))));
  } }, h('summary', {}, words.moreFields));
  if (others.some((each) => each.name in kept)) more.open = true;
  const button = h('button', { class: options.danger ? 'danger' : null }, options.button);

  const body = () => {
    const all = [...fields.values()].filter(({ field, isParameter, property }) =>
      field.isTouched() || (isParameter && field.value() !== null) || (property.required && field.value() !== null));
    return Object.fromEntries(all.map(({ field, property }) => [property.name, field.value()]));
  };
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isComplete()) return;
    button.disabled = true;
    fill(told);
    try {
      await options.send(body());
      dropDraft(options.draft);
    } catch (error) {
      complain(error);
    } finally { button.disabled = false; }
  };
  const isComplete = () => {
    const missing = [...fields.values()].filter(({ field, property }) => property.required && field.value() === null);
    missing.forEach(({ field }) => field.wrong(words.required));
    missing[0]?.field.focus();
    return missing.length === 0;
  };
  const complain = (/** @type {any} */ error) => {
    let isPlaced = false;
    for (const each of error instanceof Refusal ? error.errors : []) {
      const field = fields.get(each.Property ?? each.property ?? each.Name ?? each.Field)?.field;
      if (!field) continue;
      field.wrong(each.Message ?? each.message);
      if (!isPlaced) field.focus();
      isPlaced = true;
    }
    fill(told, trouble(error));
  };
  const form = h('form', { class: 'card', 'aria-labelledby': id, novalidate: true, onsubmit: send,
    oninput: () => keepDraft(options.draft, body()),
    onkeydown: (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit(); } },
    h('h2', { id }, options.title), options.description && h('p', { class: 'soft' }, options.description), told, parameters,
    options.open ? h('div', { class: 'fields' }, first) : first, others.length > 0 && more,
    h('div', { class: 'row' }, button, options.cancel && h('button', { type: 'button', class: 'quiet', onclick: () => { dropDraft(options.draft); options.cancel?.(); } }, words.cancel)));
  return { element: form, fields, body, tell: (/** @type {any} */ content) => { fill(told, content); told.scrollIntoView({ block: 'center' }); }, focus: () => {
    const target = [...fields.values()][0]?.field;
    if (target) target.focus(); else button.focus();
  } };
}

/** What a person can write in a form. @param {import('./api.js').Property} property */
export const isTyped = (property) => !property.readOnly && property.usage !== 'Internal' && property.dataType !== 'Binary';

/** Another name of a lookup, as a plain number: it is shown once. @param {import('./api.js').Entity} entity @param {import('./api.js').Property} property */
export const isAlias = (entity, property) => property.dataType === 'Integer' && property.name.endsWith('Id') &&
  entity.properties.some((each) => each.dataType === 'Lookup' && `${each.name}Id` === property.name);
