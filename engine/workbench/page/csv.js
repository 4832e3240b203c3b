// All rows of a list as one CSV file, asked for page by page, with its progress; it can be cancelled.
import { ask } from './api.js';
import { fill, h, say } from './dom.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

const rowsAtOnce = 2000;

/** Where the next page begins (RFC 8288). @param {Headers} headers */
function nextAfter(headers) {
  const place = /[?&](?:\$|%24)after=([^&>]*)/i.exec(headers.get('Link') ?? '')?.[1];
  return place && decodeURIComponent(place);
}

/** @param {string} entity @param {Record<string, any>} query @param {AbortSignal} signal @param {(rows: number, total: number) => void} told */
async function allOf(entity, query, signal, told) {
  /** @type {BlobPart[]} */ const parts = [];
  let total = 0;
  for (let after; parts.length === 0 || after;) {
    const { data, headers } = await ask(entity, { query: { ...query, $top: rowsAtOnce, $inlinecount: parts.length === 0 || undefined, $after: after },
      headers: { Accept: 'text/csv;formulas=text' }, raw: true, signal });
    after = nextAfter(headers);
    total ||= Number(headers.get('X-Total-Count'));
    parts.push(parts.length === 0 ? data : await withoutNames(data));
    told(after ? parts.length * rowsAtOnce : total, total);
  }
  return new Blob(parts, { type: 'text/csv' });
}

/** Each page begins with the same line. A piece of a blob stays where the browser keeps blobs. @param {Blob} page */
async function withoutNames(page) {
  const beginning = await page.slice(0, 65_536).text();
  return page.slice(new Blob([beginning.slice(0, beginning.indexOf('\n') + 1)]).size);
}

/** @param {string} entity @param {Record<string, any>} query @param {Element} where it is told @param {AbortSignal} leaving */
export async function saveCsv(entity, query, where, leaving) {
  const stop = new AbortController();
  leaving.addEventListener('abort', () => stop.abort());
  const line = h('span', {}, words.loading);
  fill(where, line, ' ', h('button', { type: 'button', class: 'quiet small', onclick: () => stop.abort() }, words.cancel));
  try {
    const file = await allOf(entity, query, stop.signal, (rows, total) => fill(line, words.csvRows(rows, total)));
    const url = URL.createObjectURL(file);
    h('a', { href: url, download: `${entity}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
    fill(where);
    say(words.csvSaved(entity));
  } catch (error) {
    fill(where, stop.signal.aborted ? words.cancelled : trouble(error, () => saveCsv(entity, query, where, leaving)));
  }
}
