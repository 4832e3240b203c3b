// What was delivered: a list with filters that follows what happens, and what failed sent again, one or many.
import { ask, place, queryOf, present } from './api.js';
import { go } from './app.js';
import { fill, fresh, h, say } from './dom.js';
import { quotedLiteral, time } from './format.js';
import { sure } from './sure.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

const kinds = { P: '', S: 'good', R: 'warn', F: 'bad', C: '' };
const shows = ['Ref', 'Webhook', 'Webhook.Name', 'Event', 'EntityType', 'EntityRef', 'Status', 'Attempts', 'CreatedDate', 'ResponseCode', 'DurationMs', 'Error', 'Redelivery'];
const pause = 5000, longest = 60_000;

/** @param {string} status */
export const deliveryTag = (status) => h('span', { class: `tag ${kinds[status] ?? ''}` }, words.deliveryStatus[status] ?? status);

export class Deliveries {
  /** @param {import('./app.js').Page} page @param {string} webhook a Ref, or "all" @param {{status: string, event: string, since: string, record: string}} wanted */
  constructor(page, webhook, wanted) {
    this.page = page; this.webhook = webhook; this.wanted = wanted;
    this.body = h('tbody', {});
    this.told = h('div', {});
    this.empty = h('p', { class: 'soft', hidden: true }, words.noDeliveries);
    /** @type {Set<number>} */ this.chosen = new Set();
    this.redeliver = h('button', { type: 'button', class: 'small', disabled: true, onclick: () => this.again() }, words.redeliver);
    this.failedOnes = h('button', { type: 'button', class: 'second small', onclick: () => this.askForAll() }, words.redeliverAll);
    this.element = h('section', { class: 'card' }, h('h2', {}, words.deliveries), this.filters(), this.told,
      h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': words.deliveries }, h('table', { class: 'stack' }, this.head(), this.body)), this.empty);
    this.wait = pause;
    page.signal.addEventListener('abort', () => clearTimeout(this.timer));
  }

  /** @param {Record<string, string>} changes */
  change(changes) { go(`${place.workbench}/webhooks/${this.webhook}${queryOf({ ...this.wanted, ...changes })}`, true); }

  filters() {
    const select = (/** @type {string} */ name, /** @type {string} */ title, /** @type {string[][]} */ choices) => {
      const id = fresh(name);
      const list = h('select', { id, onchange: () => this.change({ [name]: list.value }) },
        choices.map(([value, text]) => h('option', { value, selected: value === this.wanted[name] }, text)));
      return h('div', {}, h('label', { for: id }, title), list);
    };
    const typed = (/** @type {string} */ name, /** @type {string} */ title, /** @type {string} */ mode) => {
      const id = fresh(name);
      const input = h('input', { id, type: 'text', inputmode: mode, value: this.wanted[name], onchange: () => this.change({ [name]: input.value.trim() }) });
      return h('div', {}, h('label', { for: id }, title), input);
    };
    const id = fresh('live');
    const live = h('input', { id, type: 'checkbox', onchange: () => (live.checked ? this.follow() : clearTimeout(this.timer)) });
    return h('div', {}, h('div', { class: 'fields' },
      select('status', words.status, [['', words.anyStatus], ...Object.entries(words.deliveryStatus)]),
      typed('event', words.event, 'text'), select('since', words.since, words.sinceChoices), typed('record', words.record, 'numeric')),
    h('div', { class: 'row' }, this.redeliver, this.failedOnes, h('label', { for: id, class: 'inline' }, live, words.live)));
  }

  head() {
    const texts = ['', words.when, words.event, words.record, ...(this.webhook === 'all' ? [words.webhooks] : []), words.status, words.attempts, words.code, words.took];
    return h('thead', {}, h('tr', {}, texts.map((text) => (text ? h('th', { scope: 'col' }, text) : h('td', {})))));
  }

  condition() {
    const { status, event, since, record } = this.wanted;
    return [this.webhook !== 'all' && `Webhook == ${this.webhook}`, status && `Status == ${quotedLiteral(status)}`, event && `Event == ${quotedLiteral(event)}`,
      Number(since) > 0 && `CreatedDate >= @NowOffset(0, -${Number(since)}, 0)`, /^\d+$/.test(record) && `EntityRef == ${record}`].filter(Boolean).join(' && ');
  }

  async load() {
    try {
      const { data } = await ask('webhook-delivery', { query: { $filter: this.condition(), $select: shows.join(','), $orderby: 'Ref desc', $top: 50 }, signal: this.page.signal });
      this.draw(data.results);
      this.empty.hidden = data.results.length > 0;
    } catch (error) { this.failed(error); }
  }

  /** @param {any[]} rows */
  draw(rows) {
    const text = JSON.stringify(rows);
    this.isNew = text !== this.last;
    if (!this.isNew) return;
    this.last = text;
    fill(this.body, rows.map((row) => this.row(row)));
    this.count();
  }

  /** @param {any} row */
  row(row) {
    const canSend = !['P', 'R'].includes(row.Status);
    const box = h('input', { type: 'checkbox', 'aria-label': words.select(`${row.Event} ${row.Ref}`), checked: this.chosen.has(row.Ref), disabled: !canSend,
      onchange: () => { this.chosen[box.checked ? 'add' : 'delete'](row.Ref); this.count(); } });
    return h('tr', {}, h('td', {}, box), h('td', { 'data-label': words.when }, time(row.CreatedDate, true)),
      h('td', { 'data-label': words.event }, h('a', { href: `${place.workbench}/webhooks/${this.webhook}/${row.Ref}` }, h('bdi', {}, row.Event)), row.Redelivery && ' ↻'),
      h('td', { 'data-label': words.record }, row.EntityRef ? h('a', { href: `${place.workbench}/record/${row.EntityType}/${row.EntityRef}` }, `${row.EntityType} ${row.EntityRef}`) : words.none),
      this.webhook === 'all' && h('td', { 'data-label': words.webhooks }, h('bdi', {}, row.Webhook?.Name ?? '')),
      h('td', { 'data-label': words.status }, deliveryTag(row.Status), row.Status === 'R' && [' ', h('button', { type: 'button', class: 'link', 'aria-label': `${words.tryNow}: ${row.Event} ${row.Ref}`,
        onclick: () => this.tryNow(row.Ref) }, words.tryNow)]), h('td', { 'data-label': words.attempts }, String(row.Attempts)),
      h('td', { 'data-label': words.code, title: row.Error }, row.ResponseCode === null ? (row.Error ? words.noAnswer : words.none) : String(row.ResponseCode)),
      h('td', { 'data-label': words.took }, row.DurationMs === null ? words.none : `${row.DurationMs} ms`));
  }

  count() {
    this.redeliver.disabled = this.chosen.size === 0;
    fill(this.redeliver, this.chosen.size > 0 ? words.redeliverMany(this.chosen.size) : words.redeliver);
  }

  async again() {
    this.redeliver.disabled = true;
    const all = [...this.chosen];
    try {
      for (const ref of all) {
        await ask(`webhook-delivery/${ref}/redeliver`, { method: 'PUT', body: {} });
        this.chosen.delete(ref);
      }
      fill(this.told, h('p', { class: 'done', role: 'status' }, words.redelivered(all.length)));
      say(words.redelivered(all.length));
    } catch (error) { this.failed(error); }
    this.count();
    await this.load();
  }

  /** @param {number} ref */
  async tryNow(ref) {
    try {
      await ask(`webhook-delivery/${ref}/retry`, { method: 'PUT', body: {} });
      say(words.tried);
    } catch (error) { return this.failed(error); }
    return this.load();
  }

  /** What failed in the time that is chosen, of each webhook that is shown. */
  async askForAll() {
    const from = Number(this.wanted.since) > 0 ? new Date(present() - Number(this.wanted.since) * 3_600_000).toISOString() : null;
    const failed = ['Status == "F"', from && `CreatedDate >= @DateTime(${from})`, this.webhook !== 'all' && `Webhook == ${this.webhook}`].filter(Boolean).join(' && ');
    try {
      const { data } = await ask('webhook-delivery', { query: { $filter: failed, $groupby: 'Webhook', $top: 200 } });
      const count = data.results.reduce((/** @type {number} */ sum, /** @type {any} */ each) => sum + each.__count, 0);
      if (count === 0) return fill(this.told, h('p', { class: 'soft', role: 'status' }, words.noneFailed));
      const since = words.sinceChoices.find(([value]) => value === this.wanted.since)?.[1] ?? '';
      return sure(words.redeliverAllTitle(count, since), words.redeliverMany(count), () => this.sendAll(data.results, from), words.redeliverAllLead);
    } catch (error) { return this.failed(error); }
  }

  /** @param {any[]} webhooks @param {string | null} from */
  async sendAll(webhooks, from) {
    let sent = 0;
    try {
      for (const each of webhooks)
        sent += (await ask(`webhook/${each.Webhook}/redeliver-failed`, { method: 'PUT', body: from ? { From: from } : {} })).data.Redelivered;
      fill(this.told, h('p', { class: 'done', role: 'status' }, words.redelivered(sent)));
      say(words.redelivered(sent));
    } catch (error) { this.failed(error); }
    await this.load();
  }

  /** While it is looked at, and less often while nothing happens. */
  follow() {
    this.timer = setTimeout(async () => {
      if (!document.hidden) await this.load();
      this.wait = this.isNew ? pause : Math.min(this.wait * 1.5, longest);
      if (!this.page.signal.aborted) this.follow();
    }, this.wait);
  }

  /** @param {any} error */
  failed(error) { if (error?.name !== 'AbortError') fill(this.told, trouble(error, () => { fill(this.told); this.load(); })); }
}
