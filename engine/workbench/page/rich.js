// Rich text of records, which strangers wrote. The browser's own sanitizer makes it safe; where there is none it is text.
import { h } from './dom.js';
import { words } from './words.js';

const elements = ['html', 'head', 'body', 'p', 'br', 'b', 'i', 'em', 'strong', 'u', 's', 'a', 'ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'td', 'th', 'blockquote',
  'pre', 'code', 'img', 'div', 'span', 'h1', 'h2', 'h3', 'h4', 'hr', 'sub', 'sup'];
const attributes = ['href', 'src', 'alt', 'title', 'colspan', 'rowspan', 'dir', 'lang'];

/**
 * Browsers report handlers and styles that the page's policy forbids before the sanitizer drops them. Renamed they are
 * dropped in silence. Nothing rests on it.
 * @param {string} html
 */
const quiet = (html) => html.replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/(?<=[\s"'/])(?=(?:on[a-z]+|style)\s*=)/gi, 'data-'));

/** In a document that shows nothing, runs nothing and fetches nothing. @param {string} html @returns {HTMLElement | null} */
function sanitized(html) {
  const parse = /** @type {any} */ (Document).parseHTML;
  if (!/[<&]/.test(html) || !parse) return null;
  try { return parse.call(Document, quiet(html), { sanitizer: { elements, attributes } }).body; } catch { return null; }
}

/** @param {string} html @returns {HTMLElement} */
export function rich(html) {
  const inert = sanitized(html);
  if (!inert) return plain(html, /[<&]/.test(html));
  for (const image of inert.querySelectorAll('img')) {
    // Nothing is fetched from elsewhere: who reads a text tells nobody that it was read.
    if (!/^data:image\/(png|jpeg|gif|webp);/i.test(image.getAttribute('src') ?? '')) image.replaceWith(inert.ownerDocument.createTextNode(image.getAttribute('alt') || ''));
    else if (!image.hasAttribute('alt')) image.setAttribute('alt', '');
  }
  for (const link of inert.querySelectorAll('a')) leadOut(link);
  const shown = h('div', { class: 'rich', dir: 'auto' });
  shown.append(...[...inert.childNodes].map((node) => document.importNode(node, true)));
  return shown;
}

/** @param {string} text @param {boolean} isTold */
const plain = (text, isTold) => h('div', { class: 'long', dir: 'auto', title: isTold ? words.plainRich : null }, text);

/** Away from here alone, with the host to be seen. @param {HTMLAnchorElement} link */
function leadOut(link) {
  const target = link.getAttribute('href') ?? '';
  if (!/^(https?:|mailto:)/i.test(target)) return link.removeAttribute('href');
  link.rel = 'noopener noreferrer';
  link.target = '_blank';
  let host = '';
  try { host = new URL(target).host; } catch { /* mailto */ }
  if (host && !(link.textContent ?? '').includes(host)) link.append(` (${host})`);
  return undefined;
}
