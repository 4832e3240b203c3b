// The states of an entity as a picture: where all of it goes is the server's word, what it looks like is the style sheet's.
import { fill, fresh, h, svg } from './dom.js';
import { recordsUrl } from './rules.js';
import { words } from './words.js';

const rowHeight = 24;

/** @param {number} x @param {number} y @param {string} text @param {string} [name] */
function textAt(x, y, text, name = '') {
  const element = svg('text', { x, y, class: name });
  element.textContent = text;
  return element;
}

/** @param {any} box @param {string} name @param {number} [corner] */
const rectangle = (box, name, corner = 0) => svg('rect', { class: name, x: box.x, y: box.y, width: box.width, height: box.height, rx: corner });

/** What can be chosen by mouse and by key. @param {SVGElement} element @param {() => void} act */
function button(element, act) {
  element.addEventListener('click', act);
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    act();
  });
  return element;
}

/** @param {string} name @param {any} rules @param {any} box @param {(state: any) => boolean} dead */
function state(name, rules, box, dead) {
  const each = rules.states.find((/** @type {any} */ one) => one.name === box.state);
  if (!each) return rectangle(box, 'start', 9);
  const isDead = dead(each);
  const middle = box.x + box.width / 2;
  return svg('a', { href: recordsUrl(name, rules, each), ...(isDead ? { 'aria-description': words.deadEnd } : {}) },
    rectangle(box, `state${each.final ? ' final' : ''}${isDead ? ' dead' : ''}`, 10),
    textAt(middle, box.y + 22, each.name, 'name'), document.createTextNode(' '), textAt(middle, box.y + 41, words.recordsNow(each.__count ?? 0), 'count'));
}

/** Whether that one, or anybody, may do the action there. @param {any} action @param {any} move @param {string} whom */
function may(action, move, whom) {
  const cell = action.cells.find((/** @type {any} */ each) => each.state === move.from);
  return whom === '' || (cell && cell[whom] !== 'Never');
}

/** @param {any} rules @param {any} move @param {string} whom @param {(action: any) => void} tell */
function label(rules, move, whom, tell) {
  const { x, y, width, height } = move.label;
  const rows = move.actions.map((/** @type {string} */ name, /** @type {number} */ index) => {
    const action = rules.actions.find((/** @type {any} */ each) => each.name === name);
    const box = { x: x + 1, y: y + 1 + index * rowHeight, width: width - 2, height: rowHeight };
    return button(svg('g', { class: may(action, move, whom) ? 'do' : 'do dim', role: 'button', tabindex: 0,
                             'aria-label': `${action.displayName}: ${move.from ?? words.fresh} → ${move.to}` },
      rectangle(box, 'label', 6), textAt(x + width / 2, box.y + 17, action.displayName)), () => tell(action));
  });
  return [rectangle({ x, y, width, height }, 'label'), ...rows];
}

/** @param {string} name @param {any} rules @param {(state: any) => boolean} dead @param {(action: any) => void} tell @param {string} whom */
function picture(name, rules, dead, tell, whom) {
  const { width, height, states, moves } = rules.diagram;
  const dim = (/** @type {any} */ move) =>
    (move.actions.some((/** @type {string} */ each) => may(rules.actions.find((/** @type {any} */ one) => one.name === each), move, whom)) ? '' : ' dim');
  return svg('svg', { class: 'diagram', width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': words.diagramOf(name) },
    ...moves.flatMap((/** @type {any} */ move) => [svg('path', { class: `line${dim(move)}`, d: move.path }), svg('path', { class: `tip${dim(move)}`, d: move.tip })]),
    ...states.map((/** @type {any} */ box) => state(name, rules, box, dead)),
    ...moves.flatMap((/** @type {any} */ move) => label(rules, move, whom, tell)));
}

/**
 * @param {string} name @param {any} rules @param {(state: any) => boolean} dead whether no action leads out of it
 * @param {(action: any) => void} tell
 */
export function drawDiagram(name, rules, dead, tell) {
  const id = fresh('whom');
  const area = h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': words.diagramOf(name) });
  const draw = () => fill(area, picture(name, rules, dead, tell, whom.value));
  const whom = h('select', { id, onchange: draw }, h('option', { value: '' }, words.anybody),
    rules.grantees.map((/** @type {string} */ each) => h('option', { value: each }, each)));
  draw();
  return [h('section', { class: 'card flush' }, h('div', { class: 'inline row above' }, h('label', { for: id }, words.forWhom), whom), area),
          h('p', { class: 'soft' }, words.diagramLegend)];
}
