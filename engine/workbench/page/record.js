// One record: what is in it, what may be done with it now, what was done, its files.
import { Refusal, ask, entityWithLists, forgetEntities, pathOf, place, sessionType } from './api.js';
import { go } from './app.js';
import { fill, h, say } from './dom.js';
import { actionForm, isAlias, isTyped } from './form.js';
import { conflict } from './conflict.js';
import { recordUrl, searchUrl } from './links.js';
import { filesOf, historyOf, listOf, listsAtOnce } from './lists.js';
import { keyOf, shown } from './format.js';
import { rich } from './rich.js';
import { trouble } from './trouble.js';
import { whyNot } from './why.js';
import { words } from './words.js';

/** All of it, and the names of what it leads to. @param {import('./api.js').Entity} entity */
export function everything(entity) {
  const named = entity.properties.filter((each) => each.dataType === 'Lookup' && each.label && each.usage !== 'Internal').slice(0, 30);
  return ['*', ...named.map((each) => `${each.name}.${each.label}`)].join(',');
}

/** The same, and the lists that stand beside it. @param {import('./api.js').Entity} entity */
const whole = (entity) => ({ $select: everything(entity), $expand: listsAtOnce(entity) });

/** By what people know the record: its label, else the first texts of its summary. @param {import('./api.js').Entity} entity @param {any} record */
export function titleOf(entity, record) {
  const texts = (entity.summary ?? []).filter((name) => entity.properties.some((each) => each.name === name && each.dataType === 'Text'))
    .map((name) => record[name]).filter(Boolean).slice(0, 2);
  return texts.length ? texts.join(' · ') : entity.label && record[entity.label] ? String(record[entity.label]) : `${entity.displayName} ${keyOf(record)}`;
}

/** @param {import('./app.js').Page} page */
export async function draw(page) {
  const [name, id] = page.parts;
  let entity = await entityWithLists(name);
  let { data: record, headers } = await ask(`${name}/${id}`, { query: whole(entity), signal: page.signal });
  const own = pathOf(record._context ?? '').replace('/$metadata', '');
  if (own && own !== entity.name) {
    entity = await entityWithLists(own);
    ({ data: record, headers } = await ask(`${own}/${id}`, { query: whole(entity), signal: page.signal }));
  }
  page.title(titleOf(entity, record));
  new RecordView(page, entity, record, headers.get('ETag') ?? '').draw();
}

/** A page of one record; others draw theirs with it. */
export class RecordView {
  /** @param {import('./app.js').Page} page @param {import('./api.js').Entity} entity @param {any} record @param {string} etag */
  constructor(page, entity, record, etag) {
    this.page = page; this.entity = entity; this.record = record; this.etag = etag;
    this.path = pathOf(record._self);
    this.head = h('header', {});
    this.place = h('div', {});
    this.left = h('div', {});
    this.right = h('div', {});
    /** @type {(() => Record<string, any>) | undefined} fields that this page draws itself */ this.fieldsOf = undefined;
  }

  draw() {
    fill(this.page.main, this.head, this.place, h('div', { class: 'two' }, this.left, this.right));
    this.drawHead();
    this.drawProperties();
    this.drawLists();
  }

  drawHead() {
    const { entity, record } = this;
    const tags = (entity.summary ?? []).map((name) => entity.properties.find((each) => each.name === name))
      .filter((each) => each && (each.dataType === 'Lookup' || each.name === entity.stateProperty) && record[each.name] !== null)
      .map((each) => h('span', { class: 'tag', title: each?.displayName }, shown(record[each?.name ?? ''], each)));
    fill(this.head, h('p', {}, h('a', { href: searchUrl(entity.name) }, entity.displayName)), h('h1', { dir: 'auto' }, titleOf(entity, record)),
      h('div', { class: 'row' }, tags), this.actions());
  }

  actions() {
    const offered = Object.entries(this.record._actions ?? {}).map(([, [link]]) => link).filter((link) => link?.href);
    const names = new Set(offered.map(actionName));
    const others = Object.values(this.entity._actions ?? {}).map(([link]) => link)
      .filter((link) => link && link.templated && link.method !== 'POST' && !names.has(actionName(link)));
    const button = (/** @type {any} */ link) => h('button', { type: 'button', class: link.method === 'DELETE' ? 'danger small' : 'second small', 'aria-expanded': 'false',
      onclick: (/** @type {any} */ event) => this.open(link, event.currentTarget) }, link.displayName);
    const menu = others.length === 0 ? null : h('details', { class: 'more' }, h('summary', {}, words.whyNot),
      h('div', { class: 'row' }, others.map((link) => h('button', { type: 'button', class: 'quiet small', onclick: () => whyNot(this.entity, this.record, link, sessionType()) },
        words.whyTitle(link.displayName)))));
    return h('div', {}, h('div', { class: 'row' }, offered.map(button)), menu);
  }

  /** @param {any} link @param {HTMLElement} button */
  async open(link, button) {
    const name = actionName(link);
    const close = () => { fill(this.place); button.setAttribute('aria-expanded', 'false'); button.focus(); };
    try {
      const isOwn = ['update', 'delete'].includes(name);
      const { data: action } = await ask(isOwn ? `${this.entity.name}/$${name}` : `${pathOf(link.href)}/$options`);
      /** @type {import('./form.js').Form} */ const form = actionForm({ title: link.displayName, description: action.description, button: link.displayName, danger: link.method === 'DELETE',
        parameters: action.parameters ?? [], properties: link.method === 'DELETE' ? [] : (action.properties ?? []).filter((/** @type {any} */ each) => isTyped(each) && !isAlias(this.entity, each)), open: name === 'update',
        record: this.record, extra: this.fieldsOf?.(), draft: `${this.path} ${name}`, cancel: close, send: (body) => this.send(link, body, form) });
      this.head.querySelectorAll('button[aria-expanded]').forEach((each) => each.setAttribute('aria-expanded', String(each === button)));
      fill(this.place, form.element);
      form.focus();
    } catch (error) { this.failed(error); }
  }

  /** @param {any} link @param {any} body @param {import('./form.js').Form} form */
  async send(link, body, form) {
    try {
      const sent = link.method === 'DELETE' ? undefined : body;
      const { data } = await ask(pathOf(link.href), { method: link.method, body: sent, headers: this.etag ? { 'If-Match': this.etag } : {} });
      say(words.done(link.displayName));
      if (link.method === 'DELETE') return void go(searchUrl(this.entity.name));
      if (data && !data._self) return this.answered(link, data);
      await this.again(link.displayName);
    } catch (error) {
      if (error instanceof Refusal && /If-Match/.test(error.message)) return this.conflict(link, body, form);
      throw error;
    }
    return undefined;
  }

  /** What an action answers in the record's place. @param {any} link @param {any} data */
  answered(link, data) {
    fill(this.place, h('section', { class: 'card', role: 'status' }, h('h2', {}, link.displayName), h('pre', {}, JSON.stringify(data, null, 2)),
      h('button', { type: 'button', class: 'second small', onclick: () => this.page.again() }, words.close)));
  }

  /** @param {string} [done] */
  async again(done) {
    const { data, headers } = await ask(this.path, { query: whole(this.entity) });
    this.record = data;
    this.etag = headers.get('ETag') ?? '';
    this.draw();
    fill(this.place, done && h('p', { class: 'done', role: 'status' }, words.done(done)));
  }

  /** @param {any} link @param {any} body @param {import('./form.js').Form} form */
  async conflict(link, body, form) {
    const { data, headers } = await ask(this.path, { query: { $select: everything(this.entity) } });
    const before = this.record;
    this.record = data;
    this.etag = headers.get('ETag') ?? '';
    this.drawHead();
    this.drawProperties();
    form.tell(conflict(this.entity, form, body, before, data));
  }

  /** @param {any} error */
  failed(error) {
    if (error instanceof Refusal) forgetEntities();
    fill(this.place, trouble(error));
  }

  drawProperties() {
    const shows = this.entity.properties.filter((each) => each.usage !== 'Internal' && each.name in this.record && !isAlias(this.entity, each));
    const isEmpty = (/** @type {any} */ each) => { const value = this.record[each.name]; return value === null || value === '' || (Array.isArray(value) && value.length === 0); };
    const order = new Map((this.entity.summary ?? []).map((name, index) => [name, index]));
    const rank = (/** @type {any} */ each) => (each.isKey || kept.has(each.name) ? 200 : order.get(each.name) ?? 99);
    const full = shows.filter((each) => !isEmpty(each)).sort((a, b) => rank(a) - rank(b));
    const empty = shows.filter(isEmpty);
    const line = (/** @type {any} */ each) => [h('dt', { title: each.description }, each.displayName), h('dd', {}, this.value(each))];
    fill(this.left, h('section', { class: 'card' }, h('h2', {}, words.properties), h('dl', { class: 'pairs' }, full.map(line)),
      empty.length > 0 && h('details', {}, h('summary', {}, words.showEmpty(empty.length)), h('p', { class: 'soft' }, empty.map((each) => each.displayName).join(', ')))));
  }

  /** @param {import('./api.js').Property} property */
  value(property) {
    const value = this.record[property.name];
    if (property.dataType === 'Lookup') {
      const url = typeof value === 'object' ? recordUrl(value) : `${place.workbench}/record/${property.type}/${value}`;
      return url ? h('a', { href: url }, shown(value, property)) : shown(value, property);
    }
    if (property.dataType === 'RichText') return rich(String(value));
    if (typeof value === 'string' && value.length > 80) return h('div', { class: 'long', dir: 'auto' }, value);
    return shown(value, property);
  }

  drawLists() {
    const lists = Object.entries(this.record._links ?? {}).map(([name, [link]]) => ({ name, path: pathOf(link?.href ?? '') }))
      .filter(({ path }) => path.startsWith(`${this.path}/`));
    fill(this.right, lists.map(({ name, path }) => {
      const { history, attachment } = this.record._embedded ?? {};
      if (history && path.endsWith('/history')) return historyOf(/** @type {any} */ (this.entity._embedded?.history), history);
      if (attachment && path.endsWith('/attachment')) return filesOf(path, attachment);
      return listOf(name, path);
    }));
  }
}

/** What every record has, whatever it is: it comes last. */
const kept = new Set(['Id', 'CreatedDate', 'CreatedBy', 'UpdatedDate', 'UpdatedBy', 'Partition']);

/** As its path names it: "take-over". @param {any} link */
const actionName = (link) => /\$([^?]*)/.exec(link._self)?.[1] ?? '';
