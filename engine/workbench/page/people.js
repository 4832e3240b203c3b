// Who is signed in and holds licences, and what the roles allow.
import { ask, place, viewAs } from './api.js';
import { go } from './app.js';
import { fill, h, say } from './dom.js';
import { time } from './format.js';
import { sure } from './sure.js';
import { serverPage, tableOf } from './server.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

const shows = 'Ref,Person,Person.Name,Client.Name,SessionType,CreatedDate,LastUsed,ExpiresDate,Address';

/** @param {any} each @param {HTMLElement} told @param {() => void} again */
function session(each, told, again) {
  const who = each.Person?.Name ?? each.Client?.Name ?? String(each.Ref);
  const end = () => sure(words.endTitle(who), words.end, async () => {
    try {
      await ask(`session/${each.Ref}`, { method: 'DELETE' });
      say(words.ended(who));
      again();
    } catch (error) { fill(told, trouble(error)); }
  }, words.endLead);
  return h('tr', {}, h('td', { 'data-label': words.person }, h('bdi', {}, who)), h('td', { 'data-label': words.sessionType }, each.SessionType),
    h('td', { 'data-label': words.client }, h('bdi', {}, each.Client?.Name ?? '')), h('td', { 'data-label': words.since }, time(each.CreatedDate)),
    h('td', { 'data-label': words.lastUsed }, each.LastUsed ? time(each.LastUsed, true) : words.none), h('td', { 'data-label': words.address }, h('bdi', {}, each.Address ?? '')),
    h('td', {}, h('button', { type: 'button', class: 'second small', 'aria-label': `${words.end}: ${who} ${each.Ref}`, onclick: end }, words.end)));
}

/** Rights of all roles, each a column. @param {any[]} roles */
function rights(roles) {
  const of = new Map(roles.map((each) => [each.Ref, new Set(String(each.Rights ?? '').split(/\s+/).filter(Boolean))]));
  const all = [...new Set([...of.values()].flatMap((each) => [...each]))].sort();
  const head = (/** @type {any} */ each) => h('th', { scope: 'col' }, h('a', { href: `${place.workbench}/record/role/${each.Ref}` }, h('bdi', {}, each.Name)),
    each.AllPartitions && h('div', {}, h('span', { class: 'tag' }, words.allPartitions)));
  const cell = (/** @type {any} */ each, /** @type {string} */ right) => (of.get(each.Ref)?.has(right) ? h('td', { class: 'on' }, words.yes) : h('td', {}, h('span', { class: 'soft' }, '·')));
  return h('section', { class: 'card flush' }, h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': words.rightsOfRoles }, h('table', { class: 'matrix' },
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, words.right), roles.map(head))),
    h('tbody', {}, all.map((right) => h('tr', {}, h('th', { scope: 'row' }, h('code', {}, right)), roles.map((each) => cell(each, right))))))));
}

/** What somebody else sees here. @param {HTMLElement} told */
function viewForm(told) {
  const login = h('input', { name: 'login', autocomplete: 'off', spellcheck: 'false', required: true });
  const look = async (/** @type {Event} */ event) => {
    event.preventDefault();
    viewAs(login.value.trim());
    try {
      await ask('$metadata');  // whether there is such a person
      await go(place.workbench);
    } catch (error) {
      viewAs('');
      fill(told, trouble(error));
    }
  };
  return h('form', { class: 'row', onsubmit: look }, h('label', {}, words.loginName, ' ', login), h('button', { class: 'second' }, words.viewAs));
}

/** @param {import('./app.js').Page} page */
export const draw = (page) => serverPage(page, 'people', async () => {
  const [{ data: sessions }, { data: roles }, { data: health }] = await Promise.all([
    ask('session', { query: { $select: shows, $orderby: 'LastUsed desc', $top: 200 }, signal: page.signal }),
    ask('role', { query: { $select: 'Ref,Name,Rights,AllPartitions', $orderby: 'Name', $top: 200 }, signal: page.signal }), ask('$health', { signal: page.signal })]);
  const told = h('div', {});
  const { licences } = health;
  const heads = [words.person, words.sessionType, words.client, words.since, words.lastUsed, words.address, h('span', { class: 'unseen' }, words.end)];
  return [licences && h('p', { class: 'soft' }, words.inUse(licences.inUse, licences.capacity)), told,
    h('section', { class: 'card' }, h('h2', {}, words.viewTitle), h('p', { class: 'soft' }, words.viewLead), viewForm(told)), h('h2', {}, words.sessions),
    tableOf(words.sessions, heads, sessions.results.map((/** @type {any} */ each) => session(each, told, page.again))), h('h2', {}, words.rightsOfRoles), rights(roles.results)];
});
