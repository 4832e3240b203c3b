// The API as this page uses it: public urls alone, each kept for the drawer of requests. The access token lives in this
// module's memory, never in storage, in a url or in what is shown.
import { first } from './first.js';

const { base = '', api = '' } = document.documentElement.dataset;
export const place = { base, api, workbench: `${base}/workbench` };

/** What a person is told, and what a form or a filter can point at. */
export class Refusal extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.Message ?? body?.error_description ?? '');
    this.status = status;
    this.type = body?.Type ?? '';
    this.subStatus = body?.SubStatus ?? '';
    /** @type {number | undefined} */ this.position = body?.Position;
    /** @type {string | undefined} */ this.found = body?.Found;
    /** @type {string | undefined} */ this.suggestion = body?.Suggestion;
    /** @type {string | undefined} */ this.option = body?.Option;
    /** @type {any[]} */ this.errors = body?.Errors ?? [];
  }
}
/** The session is over, or there was none. */
export class SignedOut extends Error {}
/** No answer at all. */
export class Unreachable extends Error {}

/**
 * @typedef {{method: string, path: string, body?: string, headers: Record<string, string>, status: number, bytes: number,
 *   milliseconds: number}} Asked
 */
/** @type {Asked[]} */
export const asked = [];
/** @type {Set<() => void>} */
const listeners = new Set();
/** @param {() => void} listener */
export const onAsked = (listener) => listeners.add(listener);
export function forgetAsked() {
  asked.length = 0;
  listeners.forEach((each) => each());
}

/** @param {Asked} request */
function keep(request) {
  asked.push(request);
  if (asked.length > 200) asked.shift();
  listeners.forEach((each) => each());
}

/** @type {{text: string, until: number, scope: string} | null} */
let token = null;
/** As whom the server answers; until the page is loaded anew. @type {string} */
let seenAs = '';
export const viewing = () => seenAs;
/** @param {string} login empty: as oneself again */
export function viewAs(login) {
  seenAs = login;
  inSandbox = '';
  forgetEntities();
}
/** Whom the sandbox answers, and how far its clock is ahead; until the page is loaded anew. */
let inSandbox = '', ahead = 0;
export const sandboxed = () => inSandbox;
/** @param {string} login empty: back in the desk @param {string} [now] the sandbox's time */
export function enterSandbox(login, now) {
  inSandbox = login;
  seenAs = '';
  ahead = login && now ? new Date(now).getTime() - Date.now() : 0;
  forgetEntities();
}
/** The time where one is. */
export const present = () => Date.now() + ahead;
/** @returns {Record<string, string>} */
function viewHeaders() {
  if (inSandbox) return { 'Callisto-Sandbox': `login=${encodeURIComponent(inSandbox)}` };
  return seenAs ? { 'Callisto-View-As': `login=${encodeURIComponent(seenAs)}` } : {};
}
/** @type {Promise<string> | null} */
let renewal = null;

let waiting = 0;
/** Whether something was asked and is not answered. */
export const isWaiting = () => waiting > 0;

/** @param {RequestInfo} url @param {RequestInit} options */
async function reach(url, options) {
  waiting++;
  try {
    return await fetch(url, options);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Unreachable(String(error));
  } finally { waiting--; }
}

/** Rejects where the server does not answer. */
export const isThere = () => reach(place.workbench, { method: 'HEAD', cache: 'no-store' });

async function renew() {
  const begun = first.token;
  first.token = null;
  const answer = await begun ?? await reach(`${place.workbench}/token`, { method: 'POST', cache: 'no-store' });
  const body = await answer.json().catch(() => ({}));
  if (answer.status === 401) throw new SignedOut();
  if (!answer.ok) throw new Refusal(answer.status, body);
  token = { text: body.access_token, until: performance.now() + (body.expires_in - 30) * 1000, scope: body.scope };
  return token.text;
}

/** What was asked for before this module was there. @param {string} url @param {boolean} isPlain */
async function begun(url, isPlain) {
  const answer = first.answers.get(url);
  first.answers.delete(url);
  return isPlain && answer ? answer : null;
}

/** One request renews for all that wait. */
function bearer() {
  if (token && performance.now() < token.until) return Promise.resolve(token.text);
  renewal ??= renew().finally(() => { renewal = null; });
  return renewal;
}

/** "Analyst" or "User", once something was asked. */
export const sessionType = () => (token?.scope ?? '').replace('session-type:', '');

export async function signOut() {
  await reach(`${place.workbench}/sign-out`, { method: 'POST' });
  token = null;
}

/** @param {Record<string, any>} query */
export function queryOf(query) {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length ? `?${parts.join('&')}` : '';
}

/** What an `api:` url of an answer is called here. @param {string} self */
export const pathOf = (self) => self.replace(/^api:v[^/]*\//, '');

/**
 * @param {string} path below the version: "entity/7"
 * @param {{method?: string, query?: Record<string, any>, body?: any, form?: FormData, headers?: Record<string, string>,
 *   signal?: AbortSignal, raw?: boolean, quiet?: boolean}} [options]
 * @returns {Promise<{data: any, headers: Headers, status: number}>}
 */
export async function ask(path, options = {}) {
  const { method = 'GET', query = {}, body, form, headers = {}, signal, raw = false } = options;
  const url = `${place.api}/${path}${queryOf(query)}`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = { ...headers, ...viewHeaders(), ...(text === undefined ? {} : { 'Content-Type': 'application/json' }) };
  for (const last of [false, true]) {
    const key = await bearer();
    const began = performance.now();
    const answer = await begun(url, method === 'GET' && Object.keys(sent).length === 0) ?? await reach(place.base + url,
      { method, body: form ?? text, headers: { ...sent, Authorization: `Bearer ${key}` }, signal, cache: 'no-cache' });
    const bytes = raw && answer.ok ? await answer.blob() : await answer.text();
    if (!options.quiet)
      keep({ method, path: url, body: text, headers: sent, status: answer.status,
             bytes: typeof bytes === 'string' ? bytes.length : bytes.size, milliseconds: performance.now() - began });
    if (answer.status === 401 && !last) { token = null; continue; }
    if (answer.status === 401) throw new SignedOut();
    const data = typeof bytes === 'string' ? parsed(bytes) : bytes;
    if (!answer.ok) throw new Refusal(answer.status, data);
    return { data, headers: answer.headers, status: answer.status };
  }
  throw new SignedOut();
}

/** @param {string} text */
function parsed(text) {
  try { return text === '' ? null : JSON.parse(text); } catch { return { Message: text }; }
}

/**
 * Files with their progress, which fetch does not tell.
 * @param {string} path @param {FormData} form @param {(share: number) => void} progress
 * @returns {Promise<any>}
 */
export async function upload(path, form, progress) {
  const key = await bearer();
  const url = `${place.api}/${path}`;
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', place.base + url);
    request.setRequestHeader('Authorization', `Bearer ${key}`);
    Object.entries(viewHeaders()).forEach(([name, value]) => request.setRequestHeader(name, value));
    request.setRequestHeader('Idempotency-Key', crypto.randomUUID?.() ?? String(Math.random()));
    request.upload.addEventListener('progress', (event) => { if (event.lengthComputable) progress(event.loaded / event.total); });
    request.addEventListener('error', () => reject(new Unreachable('')));
    request.addEventListener('load', () => {
      keep({ method: 'POST', path: url, body: '(files)', headers: viewHeaders(), status: request.status,
             bytes: request.responseText.length, milliseconds: performance.now() - began });
      const data = parsed(request.responseText);
      if (request.status < 300) resolve(data);
      else reject(request.status === 401 ? new SignedOut() : new Refusal(request.status, data));
    });
    request.send(form);
  });
}

/**
 * @typedef {{name: string, displayName: string, type: string, displayTypes: string[], dataType: string, description: string,
 *   usage: string, length?: number, choices?: string[], defaultValue?: any, readOnly?: boolean, required?: boolean,
 *   requiredInRecord?: boolean, isKey?: boolean, noSearch?: boolean, label?: string, class: string}} Property
 * @typedef {{name: string, kind: string, description: string, returns?: string,
 *   parameters?: {name: string, dataType: string}[]}} Augmenter
 * @typedef {{displayName: string, _self: string, href: string, method: string, templated?: boolean}} ActionLink
 * @typedef {{name: string, displayName: string, description: string, summary?: string[], label?: string,
 *   stateProperty?: string, states?: {name: string, value: any, description: string, initial: boolean, final: boolean,
 *   groups: string[]}[], children: {_self: string}[], properties: Property[], augmenters: Augmenter[],
 *   _links: Record<string, any[]>, _actions: Record<string, ActionLink[]>, _embedded?: Record<string, Entity>}} Entity
 */

/** @type {Map<string, {entity: Promise<Entity>, at: number}>} */
const entities = new Map();
const fresh = 60_000;

/**
 * The metadata of an entity, as it was within the last minute.
 * @param {string} name @param {string} [path] where it is told, of what has no name here @returns {Promise<Entity>}
 */
export function entityOf(name, path = encodeURIComponent(name)) {
  return kept(name) ?? keepEntity(name, ask(`${path}/$metadata`));
}

/** The same with what the lists below its records are of. @param {string} name @returns {Promise<Entity>} */
export function entityWithLists(name) {
  const all = `${name}?`;
  const known = kept(all);
  if (known) return known;
  const entity = keepEntity(all, ask(`${encodeURIComponent(name)}/$metadata`, { query: { $expand: '*' } }));
  entity.then(({ _embedded = {} }) => {
    entities.set(name, { entity, at: performance.now() });
    for (const [list, each] of Object.entries(_embedded)) entities.set(`${name}/${list}`, { entity: Promise.resolve(each), at: performance.now() });
  }, () => undefined);
  return entity;
}

/** @param {string} name */
function kept(name) {
  const found = entities.get(name);
  return found && performance.now() - found.at < fresh ? found.entity : null;
}

/** @param {string} name @param {Promise<{data: any}>} asked */
function keepEntity(name, asked) {
  const entity = asked.then((answer) => /** @type {Entity} */ (answer.data));
  entities.set(name, { entity, at: performance.now() });
  entity.catch(() => entities.delete(name));
  return entity;
}

/** After a refusal that a reload may have caused. */
export const forgetEntities = () => { entities.clear(); roots = null; };

/** @type {Promise<string[]> | null} */
let roots = null;
/** The entities that this session may read. */
export function entityNames() {
  roots ??= ask('$metadata').then((answer) => Object.keys(answer.data._links).sort());
  roots.catch(() => { roots = null; });
  return roots;
}
