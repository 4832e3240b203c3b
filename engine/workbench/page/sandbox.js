// The sandbox: a sample desk in the server's memory whose clock can be moved, and what happened there.
import { ask, enterSandbox, place, sandboxed } from './api.js';
import { go } from './app.js';
import { fill, h, say } from './dom.js';
import { time } from './format.js';
import { sure } from './sure.js';
import { serverPage, tableOf } from './server.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

const statuses = [204, 410, 429, 500, 503];

/** A record is there for whoever has entered. @param {any} each */
function happening(each) {
  const inside = (/** @type {string} */ path, /** @type {string} */ text) => (sandboxed() ? h('a', { href: `${place.workbench}/${path}` }, text) : text);
  const about = each.url !== undefined
    ? [h('td', { 'data-label': words.about }, h('bdi', {}, words.sentTo(each.url, each.status))), h('td', {}, inside(`record/webhook-delivery/${each.delivery}`, String(each.delivery)))]
    : [h('td', { 'data-label': words.about }, h('strong', {}, each.event), ' ', h('span', { class: 'soft' }, each.person ? words.byPerson(each.person) : words.byItself)),
      h('td', {}, inside(`record/${each.entity}/${each.ref}`, `${each.entity} ${each.ref}`))];
  return h('tr', {}, h('td', { 'data-label': words.when }, time(each.date)), about);
}

/** @param {any} data */
const happened = (data) => [h('h2', {}, words.happened), data.happened.length
  ? tableOf(words.happened, [words.when, words.about, words.record], [...data.happened].reverse().map(happening)) : h('p', { class: 'soft' }, words.nothingHappened),
data.leftOut > 0 && h('p', { class: 'soft' }, words.leftOut(data.leftOut))];

/** @param {any} data @param {(options: any) => () => Promise<void>} change */
function clock(data, change) {
  const answers = h('select', { onchange: () => change({ method: 'PUT', query: { receivers: answers.value } })() }, [...new Set([...statuses, data.receivers])].map((each) =>
    h('option', { value: String(each), selected: each === data.receivers }, String(each))));
  return h('section', { class: 'card' }, h('h2', {}, words.clock), h('p', {}, words.sandboxTime, ' ', h('strong', {}, time(data.now))),
    data.stopped && h('p', { class: 'problem', role: 'alert' }, words.endedOnTheWay),
    h('div', { class: 'row' }, Object.entries(words.forward).map(([minutes, label]) => h('button', { type: 'button', class: 'second', onclick: change({ method: 'PUT', query: { minutes } }) }, label))),
    h('p', {}, h('label', {}, words.receiversAnswer, ' ', answers)),
    data.problems.length > 0 && [h('h3', {}, words.dueProblems), h('ul', { class: 'plain' }, data.problems.map((/** @type {string} */ each) => h('li', { class: 'block' }, each)))]);
}

/** @param {any} data @param {HTMLElement} told @param {() => void} again */
function entrance(data, told, again) {
  const login = h('input', { name: 'login', autocomplete: 'off', spellcheck: 'false', required: true, value: sandboxed() });
  const enter = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const former = sandboxed();
    enterSandbox(login.value.trim(), data.now);
    try {
      await ask('$metadata');  // whether there is such a person
      if (former) again();
      else await go(place.workbench);
    } catch (error) {
      enterSandbox(former, data.now);
      fill(told, trouble(error));
    }
  };
  return h('section', { class: 'card' }, h('h2', {}, words.enterAs), h('p', { class: 'soft' }, words.enterLead),
    h('form', { class: 'row', onsubmit: enter }, h('label', {}, words.loginName, ' ', login), h('button', {}, words.enterAs)));
}

/** @param {import('./app.js').Page} page */
export const draw = (page) => serverPage(page, 'sandbox', async () => {
  const { data } = await ask('$sandbox', { signal: page.signal });
  if (sandboxed()) enterSandbox(data.runs ? sandboxed() : '', data.now);
  const told = h('div', { role: 'status' });
  const change = (/** @type {any} */ options) => async () => {
    fill(told, h('p', { class: 'soft' }, words.clockMoves));
    try {
      const { data: changed } = await ask('$sandbox', options);
      if (sandboxed()) enterSandbox(changed.runs ? sandboxed() : '', changed.now);
      await page.again();
      say(words.sandbox);
    } catch (error) { fill(told, trouble(error)); }
  };
  const lead = h('p', { class: 'soft' }, words.sandboxLead);
  if (!data.runs) return h('section', { class: 'card' }, lead, h('div', { class: 'row' }, h('button', { type: 'button', onclick: change({ method: 'POST' }) }, words.beginSandbox)), told);
  const anew = () => sure(words.beginAnewTitle, words.beginAnew, change({ method: 'POST' }), words.beginAnewLead);
  return [lead, told, clock(data, change), entrance(data, told, page.again), happened(data),
    h('div', { class: 'row' }, h('button', { type: 'button', class: 'second', onclick: anew }, words.beginAnew),
      h('button', { type: 'button', class: 'second', onclick: change({ method: 'DELETE' }) }, words.endSandbox))];
});
