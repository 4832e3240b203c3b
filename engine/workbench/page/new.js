// A new record: the form of the entity's action Create.
import { ask, entityOf, pathOf } from './api.js';
import { go } from './app.js';
import { fill, h } from './dom.js';
import { actionForm, isAlias, isTyped } from './form.js';
import { recordUrl, searchUrl } from './links.js';
import { webhookFields } from './webhook_form.js';
import { words } from './words.js';

/** Sends once what is sent twice: a lost answer makes no second record. */
const onceKey = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

/** @param {import('./app.js').Page} page */
export async function draw(page) {
  const extra = page.parts[0] === 'webhook' ? webhookFields() : undefined;
  const entity = await entityOf(page.parts[0]);
  const { data: action } = await ask(`${entity.name}/$create`, { signal: page.signal });
  let key = onceKey(), last = '';
  page.title(words.create(entity.displayName));
  const form = actionForm({ title: words.create(entity.displayName), description: action.description, button: action.displayName, open: true,
    parameters: action.parameters ?? [], properties: (action.properties ?? []).filter((/** @type {any} */ each) => isTyped(each) && !isAlias(entity, each)), draft: `${entity.name} create`,
    extra, cancel: () => go(searchUrl(entity.name)),
    send: async (body) => {
      if (last !== (last = JSON.stringify(body))) key = onceKey();
      const { data } = await ask(pathOf(action.href), { method: 'POST', body, headers: { 'Idempotency-Key': key } });
      go(recordUrl(data) ?? searchUrl(entity.name));
    } });
  fill(page.main, h('p', {}, h('a', { href: searchUrl(entity.name) }, entity.displayName)), form.element);
}
