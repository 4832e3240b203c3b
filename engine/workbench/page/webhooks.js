// Webhooks: their health, their form, and one with what it delivered.
import { ask, entityOf, pathOf, place, queryOf } from './api.js';
import { Deliveries } from './deliveries.js';
import { drawDelivery } from './delivery.js';
import { fill, h } from './dom.js';
import { shown, time } from './format.js';
import { RecordView, everything } from './record.js';
import { trouble } from './trouble.js';
import { webhookFields } from './webhook_form.js';
import { words } from './words.js';

const kinds = { P: '', S: 'good', R: 'warn', F: 'bad', C: '' };
/** @param {string} status @param {Record<string, string>} names */
export const statusTag = (status, names) => h('span', { class: `tag ${kinds[status] ?? ''}` }, names[status] ?? status);

/** @param {string | number} webhook @param {Record<string, any>} [query] */
export const webhookUrl = (webhook, query = {}) => `${place.workbench}/webhooks/${webhook}${queryOf(query)}`;

/** The list, one with its deliveries, or one of these. @param {import('./app.js').Page} page */
export const draw = (page) => (page.parts[1] ? drawDelivery(page) : page.parts[0] ? drawWebhook(page) : drawWebhooks(page));

/** @param {import('./app.js').Page} page */
async function drawWebhooks(page) {
  const shows = ['Name', 'PayloadUrl', 'CoreEntityType', 'EntityType', 'Events', 'Active', 'Status', 'LastDeliveryDate'];
  const [entity, { data }] = await Promise.all([entityOf('webhook'),
    ask('webhook', { query: { $select: ['Ref', ...shows].join(','), $orderby: 'Ref', $top: 200 }, signal: page.signal })]);
  page.title(words.webhooks);
  const titles = shows.map((name) => entity.properties.find((each) => each.name === name)?.displayName ?? name);
  const row = (/** @type {any} */ each) => h('tr', {},
    h('td', { 'data-label': titles[0] }, h('a', { href: webhookUrl(each.Ref) }, h('bdi', {}, each.Name ?? `${entity.displayName} ${each.Ref}`))),
    h('td', { 'data-label': titles[1], class: 'mono' }, h('bdi', {}, each.PayloadUrl)),
    h('td', { 'data-label': titles[2] }, [each.CoreEntityType, each.EntityType].filter(Boolean).join(' / ')),
    h('td', { 'data-label': words.status }, each.Active ? statusTag(each.Status, words.webhookHealth) : h('span', { class: 'tag' }, words.inactive)),
    h('td', { 'data-label': titles[7] }, each.LastDeliveryDate ? time(each.LastDeliveryDate, true) : shown(null, undefined)));
  const heads = [titles[0], titles[1], titles[2], words.status, titles[7]].map((text) => h('th', { scope: 'col' }, text));
  fill(page.main, h('div', { class: 'row spread' }, h('h1', {}, words.webhooks), h('div', { class: 'row' },
    h('a', { class: 'button second small', href: webhookUrl('all') }, words.allDeliveries),
    entity._actions.Create && h('a', { class: 'button small', href: `${place.workbench}/new/webhook` }, words.newWebhook))),
  data.results.length
    ? h('section', { class: 'card flush' }, h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': words.webhooks },
      h('table', { class: 'stack' }, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, data.results.map(row)))))
    : h('section', { class: 'card' }, h('p', {}, words.noWebhooks), h('p', { class: 'soft' }, words.noWebhooksLead)));
}

/** @param {import('./app.js').Page} page */
async function drawWebhook(page) {
  const [id] = page.parts;
  const wanted = { status: page.query.get('status') ?? '', event: page.query.get('event') ?? '', since: page.query.get('since') ?? '', record: page.query.get('record') ?? '' };
  const deliveries = new Deliveries(page, id, wanted);
  if (id === 'all') {
    page.title(words.allDeliveries);
    fill(page.main, h('p', {}, h('a', { href: `${place.workbench}/webhooks` }, words.webhooks)), h('h1', {}, words.allDeliveries), deliveries.element);
    return deliveries.load();
  }
  const [{ data, headers }] = await Promise.all([ask(`webhook/${id}`, { signal: page.signal }), deliveries.load()]);
  page.title(data.Name ?? data.PayloadUrl);
  return new WebhookView(page, data, headers.get('ETag') ?? '', deliveries).draw();
}

/** A kind of which nothing was asked yet. @type {import('./api.js').Entity} */
const unknown = { name: 'webhook', displayName: '', description: '', children: [], properties: [], augmenters: [], _links: {}, _actions: {} };

/** Its metadata, and the names of what it leads to, are asked for once somebody opens what is made of them. */
class WebhookView extends RecordView {
  /** @param {import('./app.js').Page} page @param {any} record @param {string} etag @param {Deliveries} deliveries */
  constructor(page, record, etag, deliveries) {
    super(page, unknown, record, etag);
    this.deliveries = deliveries;
    this.fieldsOf = webhookFields;
    /** @type {any} */ this.settings = h('details', { class: 'card', ontoggle: () => { if (this.settings.open) this.knowing(() => this.drawProperties()); } });
  }

  async know() {
    if (this.entity !== unknown) return;
    const entity = await entityOf('webhook');
    const { data, headers } = await ask(this.path, { query: { $select: everything(entity) } });
    this.entity = entity;
    this.record = data;
    this.etag = headers.get('ETag') ?? '';
  }

  /** @param {() => any} then */
  knowing(then) { this.know().then(then).catch((error) => this.failed(error)); }

  actions() {
    const all = super.actions();
    if (this.entity !== unknown) return all;
    /** @type {any} */ const menu = h('details', { class: 'more', ontoggle: () => menu.open && this.knowing(() => {
      all.replaceWith(this.actions());
      const drawn = this.head.querySelector('details');
      if (drawn) drawn.open = true;
      else this.head.append(h('p', { class: 'soft', role: 'status' }, words.allOffered));
    }) }, h('summary', {}, words.whyNot), h('p', { class: 'soft' }, words.loading));
    all.append(menu);
    return all;
  }

  /** @param {any} link @param {HTMLElement} button */
  async open(link, button) {
    try {
      await this.know();
    } catch (error) { return this.failed(error); }
    return super.open(link, button);
  }

  draw() {
    fill(this.page.main, this.head, this.place, this.settings, this.deliveries.element);
    this.drawHead();
    this.drawProperties();
  }

  drawHead() {
    super.drawHead();
    const { record } = this;
    fill(/** @type {Element} */ (this.head.querySelector('h1')), record.Name ?? record.PayloadUrl);
    fill(/** @type {Element} */ (this.head.querySelector('p')), h('a', { href: `${place.workbench}/webhooks` }, words.webhooks));
    fill(/** @type {Element} */ (this.head.querySelector('.row')), record.Active ? statusTag(record.Status, words.webhookHealth) : h('span', { class: 'tag warn' }, words.inactive),
      h('span', { class: 'mono' }, h('bdi', {}, record.PayloadUrl)), record.LastDeliveryDate && h('span', { class: 'soft' }, time(record.LastDeliveryDate, true)));
  }

  drawProperties() {
    super.drawProperties();
    fill(this.settings, h('summary', {}, words.settings), this.entity === unknown ? h('p', { class: 'soft' }, words.loading) : this.left.querySelector('dl'));
  }

  /** A test or a redelivery is at the top of the list; a secret is shown once. @param {any} link @param {any} data */
  answered(link, data) {
    super.answered(link, data);
    this.deliveries.load();
  }

  /** @param {string} [done] */
  async again(done) {
    await super.again(done).catch((error) => fill(this.place, trouble(error)));
    await this.deliveries.load();
  }

  /** @param {any} link @param {any} body @param {any} form */
  async send(link, body, form) {
    if (/\$(update|delete|hand-over)/.test(link._self)) return super.send(link, body, form);
    const { data } = await ask(pathOf(link.href), { method: link.method, body });
    const isOwn = data?._self && pathOf(data._self) === this.path;
    if (isOwn && !(data.Secret && data.Secret !== '********')) return this.again(link.displayName);
    if (data?._self && !isOwn) return this.again(link.displayName);
    return this.answered(link, isOwn ? { Secret: data.Secret, PreviousSecretUntil: data.PreviousSecretUntil } : data);
  }
}
