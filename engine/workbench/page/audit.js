// The audit log, the newest first.
import { ask, entityOf, place, queryOf } from './api.js';
import { go } from './app.js';
import { fill, fresh, h } from './dom.js';
import { time } from './format.js';
import { serverPage, tableOf } from './server.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

const known = ['time', 'sequence', 'event', 'person', 'entity', 'key', 'action', 'reason', 'address', 'client', 'session', 'previous', 'hash'];

/** Names of people by Ref; without them their numbers stand there. @param {any[]} lines @returns {Promise<Map<number, string>>} */
async function namesOf(lines) {
  const refs = [...new Set(lines.map((each) => each.person).filter(Boolean))];
  if (!refs.length) return new Map();
  try {
    const { label } = await entityOf('person');
    if (!label) return new Map();
    const { data } = await ask('person', { query: { $filter: `Ref in (${refs.join(', ')})`, $select: `Ref,${label}`, $top: refs.length } });
    return new Map(data.results.map((/** @type {any} */ each) => [each.Ref, each[label]]));
  } catch { return new Map(); }
}

/** @param {any} line @param {Map<number, string>} names */
function row(line, names) {
  const about = line.entity && (line.key ? h('a', { href: `${place.workbench}/record/${line.entity}/${line.key}` }, `${line.entity} ${line.key}`) : line.entity);
  const more = Object.entries(line).filter(([name]) => !known.includes(name)).map(([name, value]) => `${name}: ${value}`).join(', ');
  const who = line.person ? h('a', { href: `${place.workbench}/record/person/${line.person}` }, h('bdi', {}, names.get(line.person) ?? String(line.person))) : line.client ?? words.none;
  return h('tr', {}, h('td', { 'data-label': words.when }, time(line.time)), h('td', { 'data-label': words.event }, h('code', {}, line.event)),
    h('td', { 'data-label': words.person }, who), h('td', { 'data-label': words.about }, about ?? words.none, line.action && ` · ${line.action}`),
    h('td', { 'data-label': words.reason }, h('bdi', {}, [line.reason, more].filter(Boolean).join(' · '))), h('td', { 'data-label': words.address }, h('bdi', {}, line.address ?? '')));
}

/** @param {import('./app.js').Page} page */
export const draw = (page) => serverPage(page, 'audit', async () => {
  const wanted = { event: page.query.get('event') ?? '', person: page.query.get('person') ?? '', since: page.query.get('since') ?? '' };
  const since = Number(wanted.since) > 0 ? new Date(Date.now() - Number(wanted.since) * 3_600_000).toISOString() : '';
  const first = await ask('$audit', { query: { ...wanted, since }, signal: page.signal });
  const body = h('tbody', {});
  const more = h('div', { class: 'row' });
  const add = async (/** @type {any} */ data) => {
    const names = await namesOf(data.results);
    body.append(...data.results.map((/** @type {any} */ each) => row(each, names)));
    const next = new URLSearchParams((data._links?.Next?.[0]._self ?? '').split('?')[1] ?? '').get('$after');
    fill(more, next && h('button', { type: 'button', class: 'second', onclick: () => load(next) }, words.more),
      !body.hasChildNodes() && !next && h('p', { class: 'soft' }, words.noLines));
  };
  const load = async (/** @type {string} */ after) => {
    try { await add((await ask('$audit', { query: { ...wanted, since, $after: after } })).data); }
    catch (error) { fill(more, trouble(error, () => page.again())); }
  };
  await add(first.data);
  const table = tableOf(words.audit, [words.when, words.event, words.person, words.about, words.reason, words.address], []);
  table.querySelector('tbody')?.replaceWith(body);
  return [filters(wanted), table, more];
});

/** @param {Record<string, string>} wanted */
function filters(wanted) {
  const change = (/** @type {Record<string, string>} */ changes) => go(`${place.workbench}/audit${queryOf({ ...wanted, ...changes })}`, true);
  const [event, person, since] = [fresh('event'), fresh('person'), fresh('since')];
  const typed = (/** @type {string} */ id, /** @type {string} */ name, /** @type {string} */ title, /** @type {string} */ mode) => {
    const input = h('input', { id, type: 'text', inputmode: mode, value: wanted[name], onchange: () => change({ [name]: input.value.trim() }) });
    return h('div', {}, h('label', { for: id }, title), input);
  };
  const list = h('select', { id: since, onchange: () => change({ since: list.value }) },
    words.sinceChoices.map(([value, text]) => h('option', { value, selected: value === wanted.since }, text)));
  return h('div', { class: 'fields' }, typed(event, 'event', words.event, 'text'), typed(person, 'person', words.personRef, 'numeric'),
    h('div', {}, h('label', { for: since }, words.since), list));
}
