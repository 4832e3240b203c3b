// Rules of an entity: which state offers which action to whom, how many records are in each, and where each rule stands.
import { Refusal, ask, entityNames, place } from './api.js';
import { go } from './app.js';
import { fill, fresh, h } from './dom.js';
import { searchUrl } from './search.js';
import { titled } from './start.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

/** @param {import('./app.js').Page} page */
export async function drawRules(page) {
  const names = await entityNames();
  const name = page.parts[0] ?? sessionStorage.getItem('entity') ?? names[0];
  if (!page.parts[0]) return go(`${place.workbench}/rules/${name}`, true);
  sessionStorage.setItem('entity', name);
  const id = fresh('entity');
  const select = h('select', { id, class: 'title', onchange: () => go(`${place.workbench}/rules/${select.value}`) },
    names.map((each) => h('option', { value: each, selected: each === name }, titled(each))));
  const head = h('div', { class: 'row' }, h('h1', {}, h('label', { for: id }, words.rulesOf)), select);
  page.title(`${words.rulesOf} ${titled(name)}`);
  try {
    const { data } = await ask(`${name}/$rules`, { signal: page.signal });
    fill(page.main, head, ...await drawn(name, data));
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 403)) throw error;
    fill(page.main, head, h('div', { class: 'card' }, h('p', {}, words.notOnlyAdmins), trouble(error)));
  }
  return undefined;
}

/** How many records are in each state. @param {string} name @param {any} rules */
async function countsOf(name, rules) {
  const property = rules.stateProperty;
  if (!rules.states.length || !property) return new Map();
  const { data } = await ask(name, { query: { $groupby: property } });
  return new Map(data.results.map((/** @type {any} */ row) => [row[property], row.__count]));
}

/** @param {string} name @param {any} rules */
async function drawn(name, rules) {
  const counts = await countsOf(name, rules);
  const marks = letters(rules.grantees);
  const told = h('div', {});
  const legend = h('p', { class: 'soft' }, [...marks].map(([grantee, mark]) => `${mark} ${grantee}`).join(', '), ', ', words.legend);
  const warnings = rules.warnings.length > 0 && h('section', { class: 'card' }, h('h2', {}, words.warnings),
    h('ul', { class: 'plain' }, rules.warnings.map((/** @type {any} */ each) => h('li', {}, h('span', {}, each.message), h('code', {}, each.source)))));
  return [h('section', { class: 'card flush' }, h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': words.rulesOf },
    h('table', { class: 'matrix' }, h('thead', {}, h('tr', {}, headOf(name, rules, counts))),
      h('tbody', {}, rules.actions.map((/** @type {any} */ action) => row(rules, action, marks, told)))))),
  rules.states.length === 0 && h('p', { class: 'soft' }, words.noStates), legend, told, warnings];
}

/** A letter for each: its first that no other has. @param {string[]} grantees */
function letters(grantees) {
  /** @type {Map<string, string>} */ const marks = new Map();
  for (const each of grantees) {
    const free = [...each].find((letter) => ![...marks.values()].includes(letter.toUpperCase())) ?? each;
    marks.set(each, free.toUpperCase());
  }
  return marks;
}

/** @param {string} name @param {any} rules @param {Map<any, number>} counts */
function headOf(name, rules, counts) {
  const state = (/** @type {any} */ each) => {
    const count = counts.get(each.value) ?? 0;
    const isDead = !each.final && !rules.actions.some((/** @type {any} */ action) => leaves(action, each.name));
    return h('th', { scope: 'col', title: each.description }, each.name, h('br'),
      h('a', { href: searchUrl(name, { filter: `${rules.stateProperty} == ${each.value}` }) }, words.recordsNow(count)),
      isDead && h('div', { class: 'tag warn' }, words.deadEnd));
  };
  return [h('th', { scope: 'col' }, words.action), h('th', { scope: 'col' }, words.fresh), rules.states.map(state), h('th', { scope: 'col' }, words.movesTo), h('th', { scope: 'col' }, words.source)];
}

/** The states that it leads to. @param {any} action @returns {string[]} */
const targetsOf = (action) => [action.movesTo, ...action.mayMoveTo].filter(Boolean);
/** Whether it leads away from that state. */
const leaves = (/** @type {any} */ action, /** @type {string} */ state) =>
  targetsOf(action).some((each) => each !== state) && action.cells.some((/** @type {any} */ cell) => cell.state === state && may(cell));

/** Whether anybody may. @param {any} cell */
const may = (cell) => Object.entries(cell).some(([name, chance]) => name !== 'state' && chance !== 'Never');

/** @param {any} cell @param {Map<string, string>} marks */
const textOf = (cell, marks) => [...marks].filter(([grantee]) => cell && cell[grantee] !== 'Never' && cell[grantee])
  .map(([grantee, mark]) => mark + (cell[grantee] === 'Perhaps' ? '?' : '')).join(' ');

/** @param {any} rules @param {any} action @param {Map<string, string>} marks @param {HTMLElement} told */
function row(rules, action, marks, told) {
  const cellOf = (/** @type {string | null} */ state) => {
    const text = textOf(action.cells.find((/** @type {any} */ each) => each.state === state), marks);
    return h('td', { class: text ? 'on' : null }, text || h('span', { class: 'soft' }, '·'));
  };
  const open = () => { fill(told, rule(action)); told.scrollIntoView({ block: 'nearest' }); };
  return h('tr', {}, h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link', onclick: open }, action.displayName)), cellOf(null),
    rules.states.map((/** @type {any} */ each) => cellOf(each.name)), h('td', { class: 'wrap' }, targetsOf(action).join(', ')), h('td', {}, h('code', {}, action.source)));
}

/** @param {any} action */
function rule(action) {
  const line = (/** @type {string} */ name, /** @type {any} */ value) => value && [h('dt', {}, name), h('dd', {}, value)];
  const allowed = Object.entries(action.allowed ?? {}).map(([who, how]) => h('div', {}, `${who}: `, typeof how === 'string' ? h('code', {}, how) : how ? words.always : words.never));
  return h('section', { class: 'card', role: 'status' }, h('h2', {}, action.displayName), action.description && h('p', { class: 'soft' }, action.description),
    h('dl', { class: 'pairs' }, line(words.whyParts.state, action.from.join(', ') || words.anyState), line(words.whyParts.offered, action.offered && h('code', {}, action.offered)),
      line(words.who, allowed.length > 0 && allowed), line(words.due, action.due && h('code', {}, action.due)), line(words.movesTo, targetsOf(action).join(', ')),
      line(words.raises, action.raises.join(', ')), line(words.source, [action.source, ...(action.additions ?? [])].map((each) => h('div', {}, h('code', {}, each))))));
}
