// One delivery: what was sent, and what came back at each attempt.
import { ask, place } from './api.js';
import { go } from './app.js';
import { deliveryTag } from './deliveries.js';
import { copyButton, quoted } from './drawer.js';
import { fill, h } from './dom.js';
import { shown, time } from './format.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

/** @param {import('./app.js').Page} page */
export async function drawDelivery(page) {
  const [webhook, id] = page.parts;
  const { data } = await ask(`webhook-delivery/${id}`, { query: { $select: '*,Webhook.Name,Webhook.PayloadUrl' }, signal: page.signal });
  page.title(`${data.Event} ${id}`);
  const told = h('div', {});
  const redeliver = data._actions?.Redeliver && h('button', { type: 'button', class: 'small', onclick: async () => {
    try {
      const made = await ask(`webhook-delivery/${id}/redeliver`, { method: 'PUT', body: {} });
      await go(`${place.workbench}/webhooks/${webhook}/${made.data.Ref}`);
    } catch (error) { fill(told, trouble(error)); }
  } }, words.redeliver);
  const retry = data._actions?.Retry && h('button', { type: 'button', class: 'small', onclick: async () => {
    try {
      await ask(`webhook-delivery/${id}/retry`, { method: 'PUT', body: {} });
      page.again();
    } catch (error) { fill(told, trouble(error)); }
  } }, words.tryNow);
  const attempts = [...(data.AttemptLog ?? [])].reverse();
  fill(page.main, h('p', {}, h('a', { href: `${place.workbench}/webhooks/${webhook}` }, data.Webhook?.Name ?? words.deliveries)),
    h('h1', {}, h('bdi', {}, data.Event), ' ', String(id)),
    h('div', { class: 'row' }, deliveryTag(data.Status), time(data.CreatedDate),
      data.EntityRef && h('a', { href: `${place.workbench}/record/${data.EntityType}/${data.EntityRef}` }, `${data.EntityType} ${data.EntityRef}`),
      h('code', {}, data.MessageId ?? ''), redeliver, retry, h('button', { type: 'button', class: 'second small', onclick: () => page.again() }, words.reload)),
    data.Error && h('p', { class: 'problem' }, data.Error), told,
    h('div', { class: 'two' }, h('div', {}, requestOf(data)), h('section', { class: 'card' }, h('h2', {}, words.attempts),
      attempts.length ? attempts.map((each, index) => attempt(each, index === 0)) : h('p', { class: 'soft' }, words.noAttempt))));
}

/** @param {any} data */
function requestOf(data) {
  const headers = Object.entries(data.RequestHeaders ?? {});
  const url = data.Webhook?.PayloadUrl ?? '';
  const command = ['curl -X POST', ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`), `--data-binary ${quoted(data.RequestBody ?? '')}`, quoted(url)].join(' ');
  return h('section', { class: 'card' }, h('div', { class: 'row spread' }, h('h2', {}, words.request), copyButton(command, words.asCurl)),
    h('p', { class: 'mono' }, 'POST ', h('bdi', {}, url)), headersOf(headers), h('h3', {}, words.body), h('pre', { tabindex: '0' }, pretty(data.RequestBody)));
}

/** @param {any} each @param {boolean} isLast */
function attempt(each, isLast) {
  return h('details', { open: isLast }, h('summary', {}, words.attempt(each.Attempt), ' · ', each.ResponseCode ?? words.noAnswer, ' · ', `${each.DurationMs} ms · `, time(each.Date, true)),
    h('dl', { class: 'pairs' }, h('dt', {}, words.when), h('dd', {}, time(each.Date)), h('dt', {}, words.outcome), h('dd', {}, shown(each.Outcome, undefined)),
      each.Error && [h('dt', {}, words.failedTitle), h('dd', {}, each.Error)], each.Address && [h('dt', {}, words.address), h('dd', {}, each.Address)]),
    headersOf(Object.entries(each.ResponseHeaders ?? {})), each.ResponseBody && [h('h3', {}, words.response), h('pre', { tabindex: '0' }, pretty(each.ResponseBody))]);
}

/** @param {[string, any][]} headers */
const headersOf = (headers) => headers.length > 0 && h('details', {}, h('summary', {}, words.headers(headers.length)),
  h('pre', { tabindex: '0' }, headers.map(([name, value]) => `${name}: ${value}`).join('\n')));

/** @param {string | null} text */
function pretty(text) {
  try { return JSON.stringify(JSON.parse(text ?? ''), null, 2); } catch { return text ?? ''; }
}
