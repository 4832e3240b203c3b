// Search: one kind of record, a filter, columns, an order, pages; all of it in the url, which can be sent to somebody.
import { Refusal, ask, entityNames, entityOf, pathOf, place, sessionType } from './api.js';
import { go } from './app.js';
import { fill, fresh, h } from './dom.js';
import { saveCsv } from './csv.js';
import { copyButton } from './drawer.js';
import { filterBox } from './filter.js';
import { cell, expectTimes, keyOf, valueAt } from './format.js';
import { pathOfProperty, recordUrl, searchUrl, titled } from './links.js';
import { Rows } from './rows.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

const rowsAtOnce = 50;

/** Where nobody said how: what came last. @param {import('./api.js').Entity} entity */
function newestFirst(entity) {
  const keys = entity.properties.filter((each) => each.isKey);
  return keys.length === 1 ? `${keys[0].name} desc` : '';
}

/** What a list shows where nobody said something else. @param {import('./api.js').Entity} entity */
function usualColumns(entity) {
  const known = (entity.summary ?? []).map((name) => entity.properties.find((each) => each.name === name)).filter((each) => each !== undefined);
  const shown1 = known.filter((each) => !each.isKey);
  return (shown1.length ? shown1 : known).map(pathOfProperty);
}

/** @param {import('./api.js').Entity} entity @param {string} path */
function columnOf(entity, path) {
  const property = entity.properties.find((each) => each.name === path.split('.')[0]);
  const rest = path.split('.').slice(1);
  const plain = !property || rest.length === 0 || (rest.length === 1 && rest[0] === property.label);
  const title = !property ? path : plain ? property.displayName : `${property.displayName} · ${rest.join(' · ')}`;
  return { path, title, property: rest.length ? undefined : property };
}

/** @param {import('./app.js').Page} page */
export async function draw(page) {
  const [names, entity] = await Promise.all([entityNames(), page.parts[0] ? entityOf(page.parts[0]) : null]);
  page.signal.throwIfAborted();
  if (!entity) return go(searchUrl(sessionStorage.getItem('entity') ?? names[0]), true);
  sessionStorage.setItem('entity', entity.name);
  const wanted = { filter: page.query.get('filter') ?? '', order: page.query.get('order') ?? '', columns: page.query.get('columns') ?? '' };
  const columns = (wanted.columns ? wanted.columns.split(',') : usualColumns(entity)).map((path) => columnOf(entity, path));
  page.title(entity.displayName);
  new Search(page, entity, names, wanted, columns).draw();
  return undefined;
}

/** @typedef {ReturnType<typeof columnOf>} Column */

class Search {
  /**
   * @param {import('./app.js').Page} page @param {import('./api.js').Entity} entity @param {string[]} names
   * @param {{filter: string, order: string, columns: string}} wanted @param {Column[]} columns
   */
  constructor(page, entity, names, wanted, columns) {
    Object.assign(this, { page, entity, names, wanted, columns });
    this.page = page; this.entity = entity; this.names = names; this.wanted = wanted; this.columns = columns;
    this.counted = h('span', { class: 'soft', role: 'status' });
    this.told = h('div', {});
    /** @type {number | null} */ this.total = null;
    this.rows = new Rows({ atOnce: rowsAtOnce, draw: (row) => this.row(row), drawn: (from, to, data) => this.drawn(from, to, data), failed: (error) => this.failed(error),
      first: () => ask(entity.name, { query: { ...this.query(), $top: rowsAtOnce, $inlinecount: 'true' }, signal: page.signal }),
      next: (path) => ask(pathOf(path), { signal: page.signal }) });
    this.box = filterBox({ entity: entity.name, value: wanted.filter, label: words.filter, hideLabel: true,
      placeholder: this.example(), apply: (text) => this.change({ filter: text }),
      changed: () => this.pressChips(),
      check: async (text, signal) => {
        if (text.trim() === '') return '';
        const { data } = await ask(`${entity.name}/$count`, { query: { $filter: text }, signal, quiet: true });
        return `${typeof data === 'object' ? data.__count ?? data.count : data}`;
      } });
  }

  example() {
    const text = this.entity.properties.find((each) => each.dataType === 'Text' && !each.isKey && !each.noSearch && each.usage !== 'Internal' && (this.entity.summary ?? []).includes(each.name));
    return words.filterPlaceholder(text ? `${text.name}.Contains("…")` : 'Ref > 0');
  }

  query() {
    return { $filter: this.wanted.filter, $select: this.columns.map((each) => each.path).join(','), $orderby: this.wanted.order || newestFirst(this.entity) };
  }

  /** @param {Partial<{filter: string, order: string, columns: string}>} changes */
  change(changes) { go(searchUrl(this.entity.name, { ...this.wanted, ...changes })); }

  /** The rows are asked for first: while they come, the rest is drawn and what they need is made ready. */
  draw() {
    this.rows.load();
    fill(this.page.main, this.head(), h('section', {}, this.box.element, this.chips(), this.columnsForm(), this.plan()), this.table());
    expectTimes();
  }

  head() {
    const id = fresh('entity');
    const select = h('select', { id, class: 'title', onchange: () => go(searchUrl(select.value)) },
      this.names.map((name) => h('option', { value: name, selected: name === this.entity.name }, name === this.entity.name ? this.entity.displayName : titled(name))));
    const link = location.origin + searchUrl(this.entity.name, this.wanted);
    const saving = h('p', { class: 'soft', role: 'status' });
    return h('div', {}, h('h1', { class: 'unseen' }, words.search), h('div', { class: 'row spread' },
      h('div', { class: 'row' }, h('label', { for: id, class: 'unseen' }, words.entity), select, this.counted),
      h('div', { class: 'row' },
        this.entity._actions.Create?.[0]?.href && h('a', { class: 'button second small', href: `${place.workbench}/new/${this.entity.name}` }, words.create(this.entity.displayName)),
        copyButton(link, words.copyLink),
        h('button', { type: 'button', class: 'quiet small', onclick: () => saveCsv(this.entity.name, this.query(), saving, this.page.signal) }, words.csv))), saving);
  }

  conditions() {
    return this.entity.augmenters.filter((each) => each.kind === 'Condition' && !each.parameters?.length && each.name !== 'IsDeleted');
  }

  chips() {
    const chip = (/** @type {import('./api.js').Augmenter} */ each) => h('button', { type: 'button', class: 'chip', title: each.description, 'data-name': `@${each.name}`,
      'aria-pressed': String(this.has(`@${each.name}`)), onclick: () => this.toggle(`@${each.name}`) },
      each.name.replace(/([a-z])([A-Z])/g, '$1 $2'));
    const all = this.conditions();
    this.chipRow = h('div', { class: 'row', role: 'group', 'aria-label': words.conditions }, all.map(chip));
    return all.length ? this.chipRow : null;
  }

  pressChips() {
    for (const each of this.chipRow?.querySelectorAll('button') ?? []) each.setAttribute('aria-pressed', String(this.has(each.dataset.name)));
  }

  /** @param {string} condition */
  has(condition) { return this.box.box.value.split('&&').some((/** @type {string} */ part) => part.trim() === condition); }

  /** @param {string} condition */
  toggle(condition) {
    const text = this.box.box.value;
    const parts = text.split('&&').map((/** @type {string} */ part) => part.trim()).filter(Boolean);
    const one = text.includes('||') && !this.has(condition) ? [`(${text})`, condition] : null;
    const next = one ?? (this.has(condition) ? parts.filter((/** @type {string} */ part) => part !== condition) : [...parts, condition]);
    this.change({ filter: next.join(' && ') });
  }

  columnsForm() {
    const id = fresh('columns');
    const area = h('textarea', { id, rows: '6', spellcheck: 'false', class: 'mono', value: this.columns.map((each) => each.path).join('\n') });
    return h('details', {}, h('summary', {}, words.columns), h('form', { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      this.change({ columns: area.value.split(/[\s,]+/).filter(Boolean).join(',') });
    } }, h('label', { for: id }, words.columns), area, h('p', { class: 'help' }, words.columnsHelp),
    h('div', { class: 'row' }, h('button', { class: 'small' }, words.apply))));
  }

  /** The server's plan, for administrators. */
  plan() {
    if (sessionType() !== 'Analyst') return null;
    const body = h('div', {});
    const load = () => ask(this.entity.name, { query: { ...this.query(), $top: rowsAtOnce, $explain: 'true' } })
      .then(({ data }) => fill(body, h('pre', { tabindex: '0' }, JSON.stringify(data, null, 2)))).catch((error) => fill(body, trouble(error, load)));
    const element = h('details', { ontoggle: () => { if (element.open && !body.hasChildNodes()) load(); } }, h('summary', {}, words.plan), body);
    return element;
  }

  table() {
    const [path, way] = this.wanted.order.split(' ');
    const head = this.columns.map((each) => {
      const direction = each.path === path ? (way === 'desc' ? 'descending' : 'ascending') : null;
      return h('th', { scope: 'col', 'aria-sort': direction }, h('button', { type: 'button', title: words.sortBy(each.title),
        onclick: () => this.change({ order: direction === 'ascending' ? `${each.path} desc` : `${each.path} asc` }) },
        each.title, direction === 'ascending' ? ' ↑' : direction === 'descending' ? ' ↓' : ''));
    });
    return h('section', { class: 'card flush pages' }, this.rows.earlier, h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': this.entity.displayName },
      h('table', { class: 'stack' }, h('thead', {}, h('tr', {}, head)), this.rows.body)), this.rows.more, this.told);
  }

  /** @param {any} row */
  row(row) {
    const url = recordUrl(row);
    return h('tr', {}, this.columns.map((each, index) => {
      const value = valueAt(row, each.path, each.property);
      const content = cell(value, each.property ?? guess(value));
      const linked = index === 0 && url ? h('a', { href: url }, value === null || value === '' ? `${keyOf(row)}` : content) : content;
      return h('td', { 'data-label': each.title }, linked);
    }));
  }

  /** @param {number} from @param {number} to @param {any} data */
  drawn(from, to, data) {
    this.total = data.__count ?? this.total;
    fill(this.counted, words.records(from, to, this.total));
    fill(this.told, to === 0 && h('div', {}, h('p', {}, this.wanted.filter ? words.noRows : words.noRowsAtAll), this.wanted.filter && h('p', { class: 'soft' }, words.noRowsLead),
      this.wanted.filter && h('button', { type: 'button', class: 'second small', onclick: () => this.change({ filter: '' }) }, words.clear)));
  }

  /** @param {any} error */
  failed(error) {
    if (error?.name === 'AbortError') return;
    if (error instanceof Refusal && error.option === '$filter') this.box.wrong(error);
    else fill(this.told, trouble(error, () => this.rows.retry()));
  }

}

/** What a value at the end of a path is, by its look. @param {any} value */
const guess = (value) => (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? { dataType: 'DateTime' } : undefined);
