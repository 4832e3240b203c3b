// The shell: which page an url is, the bar above it, keys, and what is said when a page cannot be drawn.
import { Refusal, SignedOut, Unreachable, enterSandbox, forgetAsked, forgetEntities, isThere, isWaiting, place, present, sandboxed, sessionType, signOut, viewAs, viewing } from './api.js';
import { append, fill, h, say, svg } from './dom.js';
import { draftOf, dropDraft, dropDrafts } from './draft.js';
import { drawer } from './drawer.js';
import { time } from './format.js';
import { keepPlace } from './trouble.js';
import { words } from './words.js';

const server = document.documentElement.dataset.server ?? words.product;

/**
 * @typedef {{main: HTMLElement, parts: string[], query: URLSearchParams, title: (text: string) => void,
 *   signal: AbortSignal, again: () => void}} Page
 */
/**
 * What an url shows, and where that stands in the bar. A page's module bears the first part of its url as its name, by which the
 * server knows what to send along with the document (pages.cc).
 * @type {[RegExp, () => Promise<{draw: (page: Page) => Promise<any>}>, string?][]}
 */
const pages = [
  [/^$/, () => import('./start.js')],
  [/^search(?:\/([^/]+))?$/, () => import('./search.js'), 'search'],
  [/^record\/([^/]+)\/(\d+)$/, () => import('./record.js'), 'search'],
  [/^new\/(webhook)$/, () => import('./new.js'), 'webhooks'],
  [/^new\/([^/]+)$/, () => import('./new.js'), 'search'],
  [/^webhooks(?:\/(\d+|all)(?:\/(\d+))?)?$/, () => import('./webhooks.js'), 'webhooks'],
  [/^rules(?:\/([^/]+))?$/, () => import('./rules.js'), 'rules'],
  [/^health$/, () => import('./health.js'), 'health'],
  [/^changes$/, () => import('./changes.js'), 'health'],
  [/^sandbox$/, () => import('./sandbox.js'), 'health'],
  [/^failures$/, () => import('./failures.js'), 'health'],
  [/^people$/, () => import('./people.js'), 'health'],
  [/^audit$/, () => import('./audit.js'), 'health'],
];

/** Pages of the bar, each with its key behind g. */
const tops = ['search', 'webhooks', 'rules', 'health'];

const bar = h('header', { class: 'bar' });
const main = h('main', { id: 'content', tabindex: '-1' });
let turn = new AbortController();

function moon() {
  return svg('svg', { class: 'mark', viewBox: '0 0 32 32', 'aria-hidden': 'true' },
    svg('circle', { class: 'moon', cx: 16, cy: 16, r: 15 }),
    svg('g', { class: 'crater' }, svg('circle', { cx: 11, cy: 11.5, r: 3.6 }), svg('circle', { cx: 20.5, cy: 18, r: 2.6 }),
      svg('circle', { cx: 12.5, cy: 22, r: 2 }), svg('circle', { cx: 20, cy: 8.5, r: 1.4 })));
}

/** @param {string} current */
function drawBar(current) {
  const link = (/** @type {string} */ name) =>
    h('a', { href: `${place.workbench}/${name}`, 'aria-current': name === current ? 'page' : null }, name === 'health' ? words.server : words[name]);
  fill(bar, h('a', { class: 'skip', href: '#content' }, words.skip),
    h('a', { class: 'brand', href: place.workbench }, moon(), server),
    sessionType() && h('nav', { 'aria-label': words.menu }, tops.map(link)),
    sessionType() && h('button', { type: 'button', class: 'quiet', onclick: leave, title: sessionType() }, words.signOut),
    sandboxed() && h('p', { class: 'viewing' }, h('bdi', {}, words.inSandbox(sandboxed())), ' ', time(new Date(present()).toISOString()), ' ',
      h('a', { href: `${place.workbench}/sandbox` }, words.moveClock), ' ',
      h('button', { type: 'button', class: 'second small', onclick: () => { enterSandbox(''); go(`${place.workbench}/sandbox`); } }, words.leaveSandbox)),
    viewing() && !sandboxed() && h('p', { class: 'viewing' }, h('bdi', {}, words.viewing(viewing())), ' ',
      h('button', { type: 'button', class: 'second small', onclick: () => { viewAs(''); go(`${place.workbench}/people`); } }, words.viewNoMore)));
}

async function leave() {
  try {
    await signOut();
    dropDrafts();
    location.assign(place.workbench);
  } catch (error) { fill(main, problem(error)); }
}

/** The way in, and back in. @param {boolean} again @param {string} [told] */
function signIn(again, told) {
  keepPlace();
  return h('section', { class: 'card narrow' },
    h('h1', {}, again ? words.signedOutTitle : words.welcome),
    h('p', { class: 'soft' }, again ? words.signedOutLead : words.welcomeLead),
    told && h('p', { class: 'problem', role: 'alert' }, told),
    h('a', { class: 'button wide', href: `${place.workbench}/sign-in` }, words.signInAnalyst),
    h('a', { class: 'button wide second', href: `${place.workbench}/sign-in?as=User` }, words.signInUser));
}

/** What cannot be drawn, and a way on. @param {any} error @returns {any} */
export function problem(error) {
  if (error instanceof SignedOut) return signIn(true);
  const say1 = (/** @type {string} */ title, /** @type {string} */ lead, on = h('button', { type: 'button', onclick: () => draw() }, words.again)) =>
    h('section', { class: 'card narrow', role: 'alert' }, h('h1', {}, title), h('p', { class: 'soft' }, lead),
      h('div', { class: 'row' }, on, h('a', { class: 'button second', href: place.workbench }, words.toStart)));
  if (error instanceof Unreachable) return say1(words.unreachableTitle, words.unreachable);
  if (error instanceof NotLoaded) return say1(words.notLoadedTitle, words.notLoaded, h('button', { type: 'button', onclick: loadAgain }, words.loadAgain));
  if (error instanceof Refusal) forgetEntities();
  if (error instanceof Refusal && error.status === 404) return say1(words.notThereTitle, words.notThere);
  if (error instanceof Refusal && error.status === 403) return say1(words.forbiddenTitle, `${error.message} ${words.forbidden}`);
  if (!(error instanceof Refusal)) console.error(error);
  return say1(words.failedTitle, error instanceof Error ? error.message : String(error));
}

/** @param {string} pathname */
const partsOf = (pathname) => pathname.slice(place.workbench.length).replace(/^\/|\/$/g, '');

/** The page of an url does not come, though the server answers: it has a new version, or the browser remembers a failure. */
class NotLoaded extends Error {}

/** @param {() => Promise<{draw: (page: Page) => Promise<any>}>} load */
async function loaded(load) {
  try {
    return await load();
  } catch (error) {
    console.error(error);
    await isThere();
    throw new NotLoaded();
  }
}

/** Keeps what is typed, as every page does; but of a server that is away nothing is loaded. */
async function loadAgain() {
  try {
    await isThere();
    location.reload();
  } catch (error) { fill(main, problem(error)); }
}

async function draw() {
  turn.abort();
  turn = new AbortController();
  const path = partsOf(location.pathname);
  const query = new URLSearchParams(location.search);
  const found = pages.find(([pattern]) => pattern.test(path));
  const told = query.get('problem');
  forgetAsked();
  document.title = server;
  if (found && !told) return drawPage(found, path, query, turn.signal);
  if (told) history.replaceState(null, '', place.workbench);
  drawBar('');
  fill(main, told ? signIn(false, words.problems[told] ?? words.problem) : problem(new Refusal(404, null)));
  return undefined;
}

/** @param {(typeof pages)[0]} found @param {string} path @param {URLSearchParams} query @param {AbortSignal} signal ends when another page is drawn */
async function drawPage([pattern, load, top], path, query, signal) {
  main.setAttribute('aria-busy', 'true');
  const waits = setTimeout(() => { if (!signal.aborted) fill(main, h('p', { class: 'soft waits' }, words.loading)); }, 300);
  const drawn = h('div', {});
  try {
    const parts = pattern.exec(path)?.slice(1).map((part) => part && decodeURIComponent(part)) ?? [];
    const title = (/** @type {string} */ text) => { if (!signal.aborted) document.title = `${text} · ${server}`; };
    const page = await loaded(load);
    if (signal.aborted) return;
    await page.draw({ main: drawn, parts, query, title, signal, again: draw });
    if (signal.aborted) return;
    fill(main, drawn);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof SignedOut && !path && !sessionType()) fill(main, signIn(false));
    else fill(main, problem(error));
  } finally {
    clearTimeout(waits);
    if (!signal.aborted) {
      drawBar(top ?? '');
      main.removeAttribute('aria-busy');
    }
  }
}

/** To another page of the workbench, without loading it. @param {string} url @param {boolean} [replace] */
export async function go(url, replace = false) {
  history[replace ? 'replaceState' : 'pushState'](null, '', url);
  await draw();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
  say(document.title);
}

document.addEventListener('click', (event) => {
  const link = /** @type {Element} */ (event.target).closest?.('a');
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const url = new URL(link.href, location.href);
  const own = url.origin === location.origin && (url.pathname === place.workbench || url.pathname.startsWith(`${place.workbench}/`));
  if (!own || link.target || link.hasAttribute('download') || /\/sign-in$/.test(url.pathname) || url.hash) return;
  event.preventDefault();
  go(url.href);
});
addEventListener('popstate', () => { draw(); });

function keysDialog() {
  const dialog = h('dialog', { 'aria-labelledby': 'keys', onclose: () => dialog.remove() }, h('h2', { id: 'keys' }, words.keysTitle),
    h('dl', { class: 'pairs' }, words.keys.map(([key, meaning]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, meaning)])),
    h('button', { type: 'button', onclick: () => dialog.close() }, words.close));
  document.body.append(dialog);
  dialog.showModal();
}

let before = '';
document.addEventListener('keydown', (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest('input, textarea, select, dialog, [contenteditable]')) return;
  const pressed = before + event.key;
  before = event.key === 'g' ? 'g' : '';
  const jump = tops.find((each) => pressed === `g${each[0]}`);
  if (jump) go(`${place.workbench}/${jump}`);
  else if (event.key === '?') keysDialog();
  else if (event.key === '/') main.querySelector(/** @type {any} */ ('textarea, input:not([type=checkbox]), select'))?.focus();
  else if (event.key === '.') requests.querySelector('summary')?.click();
  else return;
  event.preventDefault();
});

const requests = drawer();
fill(document.body, bar, main, requests);
drawBar('');
const back = draftOf('place');
if (back && partsOf(location.pathname) === '' && !location.search) {
  dropDraft('place');
  history.replaceState(null, '', back);
}

/** What other pages need, one after the other while nothing else is waited for: whoever opens one later finds it there, without a network too. */
function loadOthers(left = pages.map(([, load]) => load)) {
  const later = globalThis.requestIdleCallback ?? setTimeout;
  later(() => {
    if (isWaiting()) return void setTimeout(loadOthers, 200, left);
    left[0]?.().catch(() => undefined).then(() => loadOthers(left.slice(1)));
    return undefined;
  });
}
draw().then(() => setTimeout(loadOthers, 500));
