// What is on disk against what runs, whether its specs hold, and to load it.
import { ask } from './api.js';
import { fill, h, say } from './dom.js';
import { time } from './format.js';
import { sure } from './sure.js';
import { serverPage } from './server.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

const patience = 60;

/** A problem with its line and a mark below it. @param {any} each */
function finding(each) {
  const where = each.file && `${each.file}${each.line ? `:${each.line}` : ''}`;
  const start = (each.column ?? 1) - 1;
  const marked = each.excerpt && (each.column
    ? h('pre', { tabindex: '0' }, each.excerpt.slice(0, start), h('mark', {}, each.excerpt.slice(start, start + (each.length || 1)) || ' '), each.excerpt.slice(start + (each.length || 1)))
    : h('pre', { tabindex: '0' }, each.excerpt));
  return h('li', { class: 'block' }, h('p', {}, h('span', { class: `tag ${each.severity === 'error' ? 'bad' : 'warn'}` }, each.severity === 'error' ? words.error : words.warning), ' ',
    where && h('code', {}, where), ' ', each.message), marked, each.suggestion && h('p', { class: 'soft' }, each.suggestion));
}

/** @param {string} title @param {any[]} items @param {(each: any) => any} [draw] */
const list = (title, items, draw = (each) => h('li', { class: 'block' }, each)) => items.length > 0 && h('section', { class: 'card' }, h('h2', {}, title), h('ul', { class: 'plain' }, items.map(draw)));

/** @param {any} last */
function outcome(last) {
  if (!last) return h('p', { class: 'soft' }, words.neverReloaded);
  return h('section', { class: 'card' }, h('h2', {}, words.lastReload), h('p', {}, h('span', { class: `tag ${last.Done ? 'good' : 'bad'}` }, last.Done ? words.loaded : words.refused), ' ', time(last.Date)),
    last.Problems.length > 0 && h('ul', { class: 'plain' }, last.Problems.map((/** @type {string} */ each) => h('li', { class: 'block' }, each))));
}

/** The outcome of a reload that is not the one before. @param {any} before */
async function outcomeAfter(before) {
  for (let second = 0; second < patience; second++) {
    const { data } = await ask('$reload', { quiet: true });
    if (data.last && data.last.Started !== before?.Started) return data.last;
    await new Promise((done) => { setTimeout(done, 1000); });
  }
  return null;
}

/** @param {any} each */
const failure = (each) => h('li', { class: 'block' }, h('p', {}, h('span', { class: 'tag bad' }, words.failed), ' ', h('strong', {}, each.spec), ' ',
  h('code', {}, each.line ? `${each.file}:${each.line}` : each.file)), each.message && h('pre', { tabindex: '0' }, each.message),
each.expected && h('p', {}, `${words.expected} `, h('code', {}, each.expected)), each.actual && h('p', {}, `${words.actual} `, h('code', {}, each.actual)));

/** @param {any} run */
function specsOf(run) {
  const state = run.stopped ? words.specsStopped : run.failed ? words.specsFailed(run.failed, run.passed) : words.specsPassed(run.passed);
  const missing = run.coverage.missing.map((/** @type {any} */ each) => h('li', { class: 'block' }, h('code', {}, each.file),
    h('ul', { class: 'plain' }, each.lines.map((/** @type {string} */ line) => h('li', {}, line)))));
  return [h('p', {}, h('span', { class: `tag ${run.failed || run.stopped ? 'bad' : 'good'}` }, state)), run.failures.length > 0 && h('ul', { class: 'plain' }, run.failures.map(failure)),
    h('p', { class: 'soft' }, run.coverage.sum), missing.length > 0 && h('details', {}, h('summary', {}, words.noSpecReaches(missing.length)), h('ul', { class: 'plain' }, missing))];
}

/** Runs them when it is asked to: that costs the server some seconds. @param {AbortSignal} signal */
function specs(signal) {
  const told = h('div', { role: 'status' });
  const button = h('button', { type: 'button', class: 'second', onclick: async () => {
    button.disabled = true;
    fill(told, h('p', { class: 'soft' }, words.specsRun));
    try {
      fill(told, specsOf((await ask('$specs', { signal })).data));
    } catch (error) { fill(told, trouble(error)); }
    button.disabled = false;
  } }, words.runSpecs);
  return h('section', { class: 'card' }, h('h2', {}, words.specs), h('p', { class: 'soft' }, words.specsLead), h('div', { class: 'row' }, button), told);
}

/** @param {import('./app.js').Page} page */
export const draw = (page) => serverPage(page, 'changes', async () => {
  const { data } = await ask('$changes', { signal: page.signal });
  const told = h('div', { role: 'status' });
  const load = (/** @type {boolean} */ force) => async () => {
    fill(told, h('p', { class: 'soft' }, words.reloading));
    try {
      await ask('$reload', { method: 'POST', query: { force: force || null } });
      const last = await outcomeAfter(data.last);
      say(last?.Done ? words.loaded : words.refused);
      await page.again();
    } catch (error) { fill(told, trouble(error)); }
  };
  const errors = data.findings.filter((/** @type {any} */ each) => each.severity === 'error');
  const warnings = data.findings.filter((/** @type {any} */ each) => each.severity !== 'error');
  const state = errors.length ? words.doesNotLoad : data.refused.length ? words.wouldRefuse : data.changes.length ? words.filesDiffer(data.changes.length) : words.noChange;
  const button = !errors.length && h('button', { type: 'button', class: data.refused.length ? 'danger' : '',
    onclick: () => sure(words.reloadTitle, words.reloadNow, load(data.refused.length > 0), data.refused.length ? words.reloadForced : words.reloadLead) }, data.refused.length ? words.reloadAnyway : words.reloadNow);
  return [h('section', { class: 'card' }, h('p', {}, h('strong', {}, state)), h('p', { class: 'soft' }, words.runsSince, ' ', h('code', {}, data.generation)),
    h('div', { class: 'row' }, button, h('button', { type: 'button', class: 'second', onclick: () => page.again() }, words.checkAgain)), told),
  !errors.length && specs(page.signal), list(words.errors, errors, finding), list(words.wouldRefuse, data.refused), list(words.differences, data.changes), list(words.effects, data.effects), list(words.warnings, warnings, finding), outcome(data.last)];
});
