// The requests that drew the page, as commands for a shell. The token is the reader's own: $TOKEN.
import { asked, onAsked, place } from './api.js';
import { fill, h, say } from './dom.js';
import { bytesOf } from './format.js';
import { words } from './words.js';

/** A word of a POSIX shell. @param {string} text */
export const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** @param {import('./api.js').Asked} request @param {string} origin */
export function curlOf(request, origin) {
  const parts = ['curl'];
  if (request.method !== 'GET') parts.push('-X', request.method);
  parts.push('-H', '"Authorization: Bearer $TOKEN"');
  for (const [name, value] of Object.entries(request.headers)) parts.push('-H', quoted(`${name}: ${value}`));
  if (request.body !== undefined) parts.push('--data-binary', quoted(request.body));
  return [...parts, quoted(origin + request.path)].join(' ');
}

/** @param {string} text @param {string} label */
export function copyButton(text, label = words.copy) {
  const button = h('button', { type: 'button', class: 'quiet small', onclick: async () => {
    await navigator.clipboard?.writeText(text).catch(() => undefined);
    button.textContent = words.copied;
    say(words.copied);
    setTimeout(() => { button.textContent = label; }, 1500);
  } }, label);
  return button;
}

export function drawer() {
  const origin = location.origin + place.base;
  const list = h('ol', { class: 'requests' });
  const summary = h('summary', {});
  const all = h('div', { class: 'row' });
  const element = h('details', { class: 'drawer', ontoggle: () => draw() }, summary,
    h('div', { class: 'inside', tabindex: '0', role: 'region', 'aria-label': words.requestsTitle },
      h('p', { class: 'soft' }, words.requestsLead), all, list));
  const draw = () => {
    fill(summary, words.requests(asked.length, bytesOf(asked.reduce((sum, each) => sum + each.bytes, 0))));
    if (!element.open) return;
    const commands = asked.map((each) => curlOf(each, origin));
    fill(all, copyButton(commands.join('\n'), words.copyAll));
    fill(list, asked.map((each, index) => h('li', {},
      h('div', { class: 'row' }, h('span', { class: each.status < 400 ? 'tag' : 'tag bad' }, String(each.status)),
        h('span', { class: 'soft' }, `${bytesOf(each.bytes)}, ${Math.round(each.milliseconds)} ms`),
        copyButton(commands[index])),
      h('pre', {}, commands[index]))));
  };
  onAsked(draw);
  draw();
  return element;
}
