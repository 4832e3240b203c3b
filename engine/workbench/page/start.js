// The first page: what there is to look at.
import { entityNames, place } from './api.js';
import { fill, h } from './dom.js';
import { titled } from './links.js';
import { words } from './words.js';

/** @param {import('./app.js').Page} page */
export async function draw(page) {
  const names = await entityNames();
  page.title(words.start);
  fill(page.main, h('h1', {}, words.welcome), h('p', { class: 'soft' }, words.welcomeLead),
    h('section', { class: 'card' }, h('h2', {}, words.entities),
      h('ul', { class: 'tiles' }, names.map((name) =>
        h('li', {}, h('a', { href: `${place.workbench}/search/${name}` }, titled(name)))))));
}
