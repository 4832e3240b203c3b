// What hangs on a record: its history as a timeline, its files, and every other list as a table.
import { ask, entityOf, upload } from './api.js';
import { fill, fresh, h, say } from './dom.js';
import { bytesOf, cell, shown, time, valueAt } from './format.js';
import { pathOfProperty, recordUrl } from './links.js';
import { rich } from './rich.js';
import { sure } from './sure.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

/** @param {string} title @param {any[]} content */
const card = (title, ...content) => h('section', { class: 'card' }, h('h2', {}, title), content);

const fileColumns = 'Ref,Name,FileSize,CreatedDate';

/** Which lists a record is asked for together with itself, and what of them. @param {import('./api.js').Entity} entity */
export function listsAtOnce({ _embedded = {} }) {
  const { history, attachment } = _embedded;
  const columns = history && [...shownOf(history), ...history.properties.filter((each) => /State$/.test(each.name))].map(pathOfProperty);
  return [columns && `history($select=${[...new Set(columns)].join(',')};$top=200)`, attachment && `attachment($select=${fileColumns})`].filter(Boolean).join(',');
}

/** @param {import('./api.js').Entity} entity */
const shownOf = (entity) => entity.properties.filter((each) => (entity.summary ?? []).includes(each.name) && !each.isKey);

/** @param {import('./api.js').Entity} entity of the list @param {{results: any[]}} list the oldest first */
export function historyOf(entity, { results }) {
  const shows = shownOf(entity);
  return card(words.history, results.length === 0 ? h('p', { class: 'soft' }, words.noHistory)
    : h('ol', { class: 'timeline', reversed: true }, [...results].reverse().map((row) => event(entity, shows, row))));
}

/** @param {import('./api.js').Entity} entity @param {import('./api.js').Property[]} shows @param {any} row */
function event(entity, shows, row) {
  const when = shows.find((each) => each.dataType === 'DateTime');
  const who = shows.filter((each) => each.dataType === 'Lookup' && row[each.name]);
  const texts = shows.filter((each) => /Text$/.test(each.dataType) && each.name !== entity.label && row[each.name]);
  return h('li', {}, h('div', { class: 'row' }, h('strong', {}, h('bdi', {}, row[entity.label ?? ''] ?? '')),
    who.map((each) => h('span', { class: 'soft' }, shown(row[each.name], each))), when && h('span', { class: 'soft' }, time(row[when.name], true))),
    texts.map((each) => (each.dataType === 'RichText' ? rich(String(row[each.name])) : h('div', { class: 'long', dir: 'auto' }, String(row[each.name])))));
}

/** @param {string} path @param {{results: any[]}} files */
export function filesOf(path, files) {
  const told = h('div', { role: 'status' });
  const list = h('ul', { class: 'plain' });
  const draw = (/** @type {{results: any[]}} */ { results }) => fill(list, results.map((row) => file(path, row, load, told)),
    results.length === 0 && h('li', { class: 'soft' }, words.noFiles));
  const load = async () => { draw((await ask(path, { query: { $select: fileColumns } })).data); };
  draw(files);
  return card(words.files, list, told, dropPlace(path, told, load));
}

/** @param {string} path @param {any} row @param {() => Promise<void>} load @param {HTMLElement} told */
function file(path, row, load, told) {
  const failed = (/** @type {any} */ error) => fill(told, trouble(error));
  const fetchIt = async () => {
    try {
      const { data } = await ask(`${path}/${row.Ref}/content`, { raw: true });
      const url = URL.createObjectURL(data);
      h('a', { href: url, download: row.Name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (error) { failed(error); }
  };
  const remove = () => sure(words.removeTitle(row.Name), words.remove, async () => {
    await ask(`${path}/${row.Ref}`, { method: 'DELETE' }).catch(failed);
    await load();
  });
  return h('li', {}, h('button', { type: 'button', class: 'link', 'aria-label': words.download(row.Name), onclick: fetchIt }, h('bdi', {}, row.Name)),
    h('span', { class: 'soft' }, bytesOf(row.FileSize ?? 0), ' ', row.CreatedDate ? time(row.CreatedDate, true) : ''),
    h('button', { type: 'button', class: 'quiet small', 'aria-label': `${words.remove}: ${row.Name}`, onclick: remove }, words.remove));
}

/** @param {string} path @param {HTMLElement} told @param {() => Promise<void>} load */
function dropPlace(path, told, load) {
  const id = fresh('file');
  const send = async (/** @type {FileList | null | undefined} */ files) => {
    for (const each of files ?? []) {
      const bar = h('progress', { max: '1', value: 0, 'aria-label': words.sending(each.name) });
      fill(told, h('p', {}, words.sending(each.name), ' ', bar));
      const form = new FormData();
      form.append('file', each, each.name);
      try {
        await upload(path, form, (share) => { bar.value = share; });
        fill(told, h('p', { class: 'done' }, words.sent(each.name)));
        say(words.sent(each.name));
      } catch (error) { fill(told, trouble(error)); return; }
    }
    await load();
  };
  const input = h('input', { id, type: 'file', multiple: true, class: 'unseen', onchange: () => { send(input.files); } });
  const over = (/** @type {boolean} */ is) => (/** @type {Event} */ event) => { event.preventDefault(); area.classList.toggle('over', is); };
  const area = h('div', { class: 'drop', ondragover: over(true), ondragleave: over(false), ondrop: (/** @type {DragEvent} */ event) => {
    over(false)(event);
    send(event.dataTransfer?.files);
  } }, words.dropHere, ' ', h('button', { type: 'button', class: 'link', onclick: () => input.click() }, words.chooseFiles),
  h('label', { for: id, class: 'unseen' }, words.chooseFiles), input);
  input.tabIndex = -1;
  return area;
}

/** @param {string} name @param {string} path */
export function listOf(name, path) {
  const body = h('div', {});
  const load = async () => {
    if (body.hasChildNodes()) return;
    fill(body, h('p', { class: 'soft' }, words.loading));
    try {
      const entity = await entityOf(path.replace(/\/\d+/g, ''), path);
      const shows = entity.properties.filter((each) => (entity.summary ?? []).includes(each.name));
      const { data } = await ask(path, { query: { $select: shows.map(pathOfProperty).join(','), $top: 50 } });
      const row = (/** @type {any} */ each) => h('tr', {}, shows.map((property, index) => {
        const value = valueAt(each, pathOfProperty(property), property);
        const url = index === 0 ? recordUrl(each) : null;
        return h('td', { 'data-label': property.displayName }, url ? h('a', { href: url }, cell(value, property)) : cell(value, property));
      }));
      fill(body, h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': name }, h('table', { class: 'stack' },
        h('thead', {}, h('tr', {}, shows.map((each) => h('th', { scope: 'col' }, each.displayName)))), h('tbody', {}, data.results.map(row)))));
    } catch (error) { fill(body, trouble(error)); }
  };
  const title = name.replace(/([a-z])([A-Z])/g, '$1 $2');
  const element = h('details', { class: 'card', ontoggle: () => { if (element.open) load(); } }, h('summary', {}, title), body);
  return element;
}
