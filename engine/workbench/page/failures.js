// Failures of scripts, by the place where they happened: its lines, the calls that led there, and the requests that met it.
import { Refusal, ask, place } from './api.js';
import { copyButton } from './drawer.js';
import { fill, h } from './dom.js';
import { quotedLiteral, time } from './format.js';
import { serverPage } from './server.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

const around = 4;

/** The lines about that one, as the server runs them. @param {string} file @param {number} line */
async function sourceOf(file, line) {
  try {
    const { data } = await ask('$source', { query: { file } });
    const first = Math.max(1, line - around);
    return h('ol', { class: 'source', start: first, tabindex: '0', 'aria-label': `${file}:${line}` }, data.lines.slice(first - 1, line + around).map((/** @type {string} */ text, /** @type {number} */ index) =>
      h('li', { value: first + index, class: first + index === line ? 'hit' : null }, h('code', {}, text || ' '))));
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return h('p', { class: 'soft' }, words.noSource);
    throw error;
  }
}

/** @param {any} each */
function met(each) {
  return h('li', {}, h('span', {}, time(each.Date), ' ', h('code', {}, each.Reference ?? '')),
    h('span', {}, each.Person?.Name ? h('bdi', {}, each.Person.Name) : words.nobody), h('span', {}, [each.Entity, each.Action].filter(Boolean).join(' ')),
    h('a', { href: `${place.workbench}/record/script-failure/${each.Ref}` }, words.record));
}

/** @param {any} group */
function placeOf(group) {
  const where = group.Line ? `${group.File}:${group.Line}` : group.File ?? words.nowhere;
  const body = h('div', {});
  const load = async () => {
    if (body.hasChildNodes()) return;
    fill(body, h('p', { class: 'soft' }, words.loading));
    try {
      const filter = [group.File === null ? 'File == null' : `File == ${quotedLiteral(group.File)}`, group.Line === null ? 'Line == null' : `Line == ${group.Line}`].join(' && ');
      const [{ data }, source] = await Promise.all([
        ask('script-failure', { query: { $filter: filter, $select: 'Ref,Reference,Date,Entity,Action,Person.Name,Message,Traceback', $orderby: 'Ref desc', $top: 20 } }),
        group.File && group.Line ? sourceOf(group.File, group.Line) : null]);
      const [newest] = data.results;
      fill(body, newest && h('p', {}, h('bdi', {}, newest.Message)), source, newest?.Traceback && [h('h3', {}, words.traceback), h('pre', { tabindex: '0' }, newest.Traceback)],
        h('h3', {}, words.metBy), h('ul', { class: 'plain' }, data.results.map(met)), h('div', { class: 'row' }, copyButton(where, words.copyPlace)));
    } catch (error) { fill(body, trouble(error, () => { fill(body); load(); })); }
  };
  const element = h('details', { class: 'card', ontoggle: () => { if (element.open) load(); } },
    h('summary', {}, h('code', {}, where), ' ', h('span', { class: 'tag bad' }, words.times(group.__count)), ' ', h('span', { class: 'soft' }, time(group.Last, true))), body);
  return element;
}

/** @param {import('./app.js').Page} page */
export const draw = (page) => serverPage(page, 'failures', async () => {
  const { data } = await ask('script-failure', { query: { $groupby: 'File,Line', $aggregate: 'max(Date) as Last', $orderby: 'Last desc', $top: 100 }, signal: page.signal });
  if (!data.results.length) return h('section', { class: 'card' }, h('p', {}, words.noFailures), h('p', { class: 'soft' }, words.noFailuresLead));
  return data.results.map(placeOf);
});
