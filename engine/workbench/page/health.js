// The server's last hour as lines, while one looks.
import { ask } from './api.js';
import { fill, h, svg } from './dom.js';
import { count, time } from './format.js';
import { serverPage } from './server.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

const width = 300, height = 64;

/** A line of figures, the newest at the right. @param {string} label @param {number[]} figures @param {(value: number) => string} told */
function sparkline(label, figures, told) {
  const values = figures.length === 1 ? [figures[0], figures[0]] : figures;
  const most = Math.max(...values, 0);
  const newest = values.at(-1) ?? 0;
  const x = (/** @type {number} */ index) => index * width / (values.length - 1);
  const y = (/** @type {number} */ value) => height - 3 - (most > 0 ? value / most : 0) * (height - 8);
  const line = values.map((value, index) => `${index ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  return h('section', { class: 'card spark' }, h('h2', {}, label), h('p', { class: 'figure' }, told(newest)),
    svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': words.atMost(label, told(most)), preserveAspectRatio: 'none' },
      svg('path', { class: 'area', d: `${line}L${width} ${height}L${x(0)} ${height}Z` }), svg('path', { class: 'trace', d: line })),
    h('p', { class: 'soft' }, words.most(told(most))));
}

const milliseconds = (/** @type {number} */ value) => `${count(Math.round(value * 10) / 10)} ms`;
const seconds = (/** @type {number} */ value) => `${count(Math.round(value))} s`;

/** @param {any} health */
function troubles(health) {
  const last = health.figures.at(-1);
  return [!health.database.answers && words.databaseDown, health.database.answers && !health.database.takesWrites && words.databaseReadOnly,
    !health.sendsWebhooks && words.webhooksDown, health.reloadFailed && words.reloadFailed, health.auditLost > 0 && words.auditLost(health.auditLost),
    last.failed > 0 && words.failedNow(last.failed)].filter(Boolean);
}

/** @param {import('./app.js').Page} page */
export const draw = (page) => serverPage(page, 'health', async () => {
  const body = h('div', {});
  const load = async () => {
    const { data } = await ask('$health', { signal: page.signal });
    fill(body, ...drawn(data));
  };
  await load();
  follow(page, load, body);
  return body;
});

/** While the page is looked at. @param {import('./app.js').Page} page @param {() => Promise<void>} load @param {HTMLElement} body */
function follow(page, load, body) {
  const timer = setTimeout(async () => {
    try {
      if (!document.hidden) await load();
      if (!page.signal.aborted) follow(page, load, body);
    } catch (error) {
      if (!page.signal.aborted) fill(body, trouble(error, () => page.again()));
    }
  }, 10_000);
  page.signal.addEventListener('abort', () => clearTimeout(timer));
}

/** @param {any} health */
function drawn(health) {
  const of = (/** @type {string} */ name) => health.figures.map((/** @type {any} */ each) => each[name]);
  const told = troubles(health);
  const licences = health.licences;
  return [told.length ? h('div', { class: 'problem', role: 'alert' }, told.map((each) => h('p', {}, each))) : h('p', { class: 'done' }, words.allWell),
    h('div', { class: 'sparks' }, sparkline(words.requestsEach(health.seconds), of('requests'), count), sparkline(words.meanTime, of('mean'), milliseconds),
      sparkline(words.slowTime, of('slow'), milliseconds), sparkline(words.waiting, of('waiting'), count), sparkline(words.queue, of('queue'), count),
      sparkline(words.dueLag, of('dueLag'), seconds), sparkline(words.sessions, of('sessions'), count), sparkline(words.failedRequests, of('failed'), count)),
    h('dl', { class: 'pairs' }, h('dt', {}, words.version), h('dd', {}, health.version), h('dt', {}, words.generation), h('dd', {}, h('code', {}, health.generation)),
      h('dt', {}, words.running), h('dd', {}, time(health.started)),
      licences && [h('dt', {}, words.licences), h('dd', {}, words.inUse(licences.inUse, licences.capacity))])];
}
