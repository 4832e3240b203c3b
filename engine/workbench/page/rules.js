// Rules of an entity: which state offers which action to whom, how many records are in each, and where each rule stands.
import { Refusal, ask, entityNames, place } from './api.js';
import { go } from './app.js';
import { drawDiagram } from './diagram.js';
import { fill, fresh, h } from './dom.js';
import { searchUrl, titled } from './links.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

/** @param {import('./app.js').Page} page */
export async function draw(page) {
  const names = await entityNames();
  page.signal.throwIfAborted();
  const name = page.parts[0] ?? sessionStorage.getItem('entity') ?? names[0];
  if (!page.parts[0]) return go(`${place.workbench}/rules/${name}`, true);
  sessionStorage.setItem('entity', name);
  const id = fresh('entity');
  const select = h('select', { id, class: 'title', onchange: () => go(`${place.workbench}/rules/${select.value}${location.search}`) },
    names.map((each) => h('option', { value: each, selected: each === name }, titled(each))));
  const head = h('div', { class: 'row' }, h('h1', {}, h('label', { for: id }, words.rulesOf)), select);
  page.title(`${words.rulesOf} ${titled(name)}`);
  const asDiagram = page.query.get('view') === 'diagram';
  try {
    const { data } = await ask(`${name}/$rules`, { query: { $inlinecount: true }, signal: page.signal });
    if (data.diagram) head.append(views(name, asDiagram));
    fill(page.main, head, ...drawn(name, data, asDiagram));
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 403)) throw error;
    fill(page.main, head, h('div', { class: 'card' }, h('p', {}, words.notOnlyAdmins), trouble(error)));
  }
  return undefined;
}

/** @param {string} name @param {any} rules @param {boolean} asDiagram */
function drawn(name, rules, asDiagram) {
  const told = h('div', {});
  const tell = (/** @type {any} */ action) => { fill(told, rule(action)); told.scrollIntoView({ block: 'nearest' }); };
  const warnings = rules.warnings.length > 0 && h('section', { class: 'card' }, h('h2', {}, words.warnings),
    h('ul', { class: 'plain' }, rules.warnings.map((/** @type {any} */ each) => h('li', {}, h('span', {}, each.message), h('code', {}, each.source)))));
  const dead = (/** @type {any} */ state) => !state.final && !rules.actions.some((/** @type {any} */ action) => leaves(action, state.name));
  return [asDiagram && rules.diagram ? drawDiagram(name, rules, dead, tell) : matrix(name, rules, dead, tell),
          rules.states.length === 0 && h('p', { class: 'soft' }, words.noStates), told, warnings];
}

/** Both views of the same; what is chosen stands in the url. @param {string} name @param {boolean} asDiagram */
const views = (name, asDiagram) => h('nav', { class: 'switch', 'aria-label': words.view }, [[words.matrix, ''], [words.diagram, '?view=diagram']].map(([title, query], index) =>
  h('a', { href: `${place.workbench}/rules/${name}${query}`, 'aria-current': (index === 1) === asDiagram ? 'true' : null }, title)));

/** @param {string} name @param {any} rules @param {(state: any) => boolean} dead @param {(action: any) => void} tell */
function matrix(name, rules, dead, tell) {
  const marks = letters(rules.grantees);
  return [h('section', { class: 'card flush' }, h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': words.rulesOf },
    h('table', { class: 'matrix' }, h('thead', {}, h('tr', {}, headOf(name, rules, dead))),
      h('tbody', {}, rules.actions.map((/** @type {any} */ action) => row(rules, action, marks, tell)))))),
  h('p', { class: 'soft' }, [...marks].map(([grantee, mark]) => `${mark} ${grantee}`).join(', '), ', ', words.legend)];
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

/** @param {string} name @param {any} rules @param {any} each */
export const recordsUrl = (name, rules, each) => searchUrl(name, { filter: `${rules.stateProperty} == ${each.value}` });

/** @param {string} name @param {any} rules @param {(state: any) => boolean} dead */
function headOf(name, rules, dead) {
  const state = (/** @type {any} */ each) => {
    return h('th', { scope: 'col', title: each.description }, each.name, h('br'),
      each.__count !== undefined && h('a', { href: recordsUrl(name, rules, each) }, words.recordsNow(each.__count)),
      dead(each) && h('div', { class: 'tag warn' }, words.deadEnd));
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

/** @param {any} rules @param {any} action @param {Map<string, string>} marks @param {(action: any) => void} tell */
function row(rules, action, marks, tell) {
  const cellOf = (/** @type {string | null} */ state) => {
    const text = textOf(action.cells.find((/** @type {any} */ each) => each.state === state), marks);
    return h('td', { class: text ? 'on' : null }, text || h('span', { class: 'soft' }, '·'));
  };
  return h('tr', {}, h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link', onclick: () => tell(action) }, action.displayName)), cellOf(null),
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
