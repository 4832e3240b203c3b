// Somebody else was quicker: what was there, what is there now and what one's own form says, side by side.
import { fill, h } from './dom.js';
import { shown } from './format.js';
import { words } from './words.js';

/**
 * @param {import('./api.js').Entity} entity @param {import('./form.js').Form} form @param {any} body
 * @param {any} before @param {any} now
 */
export function conflict(entity, form, body, before, now) {
  const same = (/** @type {any} */ a, /** @type {any} */ b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
  const names = entity.properties.filter((each) => each.usage !== 'Internal' && !/^Updated/.test(each.name) && (!same(before[each.name], now[each.name]) || each.name in body));
  const row = (/** @type {import('./api.js').Property} */ each) => {
    const field = form.fields.get(each.name)?.field;
    const yours = h('td', { 'data-label': words.conflictYours }, each.name in body ? shown(body[each.name], each) : '');
    const take = field && each.name in body && h('button', { type: 'button', class: 'second small', onclick: () => {
      field.set(now[each.name]);
      fill(yours, shown(now[each.name], each));
    } }, words.takeTheirs);
    return h('tr', {}, h('th', { scope: 'row' }, each.displayName), h('td', { 'data-label': words.conflictBefore }, shown(before[each.name], each)),
      h('td', { 'data-label': words.conflictTheirs, class: same(before[each.name], now[each.name]) ? null : 'hit' }, shown(now[each.name], each)), yours, h('td', {}, take));
  };
  return h('section', { class: 'problem' }, h('h3', {}, words.conflictTitle), h('p', {}, words.conflictLead),
    h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': words.conflictTitle },
      h('table', { class: 'stack' }, h('thead', {}, h('tr', {}, [words.conflictField, words.conflictBefore, words.conflictTheirs, words.conflictYours, ''].map((text) =>
        text ? h('th', { scope: 'col' }, text) : h('td', {})))), h('tbody', {}, names.map(row)))),
    h('div', { class: 'row' }, h('button', { class: 'second small' }, words.sendAnyway)));
}
