// The pages about the server itself, for whoever has the right Administration: what they share.
import { Refusal, place } from './api.js';
import { fill, h } from './dom.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

const parts = ['health', 'changes', 'sandbox', 'failures', 'people', 'audit'];

/**
 * A page with its heading and its neighbours; who lacks the right is told who has it.
 * @param {import('./app.js').Page} page @param {string} name @param {() => Promise<any>} draw answers what the page holds
 */
export async function serverPage(page, name, draw) {
  page.title(words[name]);
  const head = [h('h1', {}, words[name]), h('nav', { class: 'switch', 'aria-label': words.server }, parts.map((each) =>
    h('a', { href: `${place.workbench}/${each}`, 'aria-current': each === name ? 'page' : null }, words[each])))];
  try {
    fill(page.main, h('div', { class: 'row spread' }, head), await draw());
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 403)) throw error;
    fill(page.main, h('div', { class: 'row spread' }, head), h('div', { class: 'card' }, h('p', {}, words.forAdministrators), trouble(error)));
  }
}

/** @param {string} label @param {any[]} heads @param {any[]} rows */
export const tableOf = (label, heads, rows) => h('section', { class: 'card flush' }, h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': label },
  h('table', { class: 'stack' }, h('thead', {}, h('tr', {}, heads.map((each) => h('th', { scope: 'col' }, each)))), h('tbody', {}, rows))));
