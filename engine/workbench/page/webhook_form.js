// What a webhook's form has of its own: the filter and the columns of a payload, judged by the server as one types.
import { ask, entityNames } from './api.js';
import { fill, fresh, h } from './dom.js';
import { filterBox } from './filter.js';
import { words } from './words.js';

/** @returns {Record<string, any>} */
export function webhookFields() {
  const checked = (/** @type {string} */ option, /** @type {string} */ name) => (/** @type {any} */ now) => judgedField(name, option, now);
  return { PayloadFilter: checked('$filter', 'PayloadFilter'), PayloadSelect: checked('$select', 'PayloadSelect') };
}

/** The entity that the form is about, as its fields say now. @param {Element} field */
async function subjectOf(field) {
  const form = field.closest('form');
  const typed = (/** @type {string} */ name) => /** @type {any} */ (form?.querySelector(`[data-name=${name}] input, [data-name=${name}] select`))?.value ?? '';
  const wanted = [typed('EntityType'), typed('CoreEntityType')].filter(Boolean).map((each) => each.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase());
  const names = await entityNames();
  return wanted.find((each) => names.includes(each)) ?? null;
}

/** @param {string} name @param {string} option @param {any} now @returns {import('./fields.js').Field} */
function judgedField(name, option, now) {
  let subject = '';
  const wrong = h('p', { class: 'wrong', id: fresh('wrong'), hidden: true });
  const title = name.replace(/([a-z])([A-Z])/g, '$1 $2');
  const box = filterBox({ get entity() { return subject; }, value: now ?? '', label: title,
    check: async (text, signal) => {
      wrong.hidden = true;
      subject = (await subjectOf(element)) ?? '';
      if (text.trim() === '' || !subject) return '';
      await ask(subject, { query: { [option]: text, $top: 1 }, signal, quiet: true });
      return words.checks;
    } });
  const element = h('div', { class: 'field', 'data-name': name }, box.element, wrong);
  box.box.addEventListener('focus', async () => { subject = (await subjectOf(element).catch(() => '')) ?? ''; });
  const value = () => (box.box.value === '' ? null : box.box.value);
  const first = value();
  return { element, value, isTouched: () => value() !== first, set: (given) => box.set(given ?? ''), focus: () => box.box.focus(),
    wrong: (said) => { fill(wrong, said); wrong.hidden = false; box.box.setAttribute('aria-invalid', 'true'); } };
}
