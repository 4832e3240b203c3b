// Values as people read them. Dates and numbers by the reader's own habits (Intl).
import { present } from './api.js';
import { h } from './dom.js';
import { words } from './words.js';

/** Made once it is needed: a browser takes milliseconds for each. @template T @param {() => T} make */
function later(make) {
  /** @type {T | undefined} */ let made;
  return () => (made ??= make());
}
const moment = later(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }));
const compact = later(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' }));
const exact = later(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' }));
/** Makes ready what the cells of a table need. */
export const expectTimes = () => { compact(); };
const day = later(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }));
const number = later(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 }));
const relative = later(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }));

// A time is told in full to whoever points at it.
document.addEventListener('pointerover', (event) => {
  const told = /** @type {Element} */ (event.target).closest?.('time:not([title], .day)');
  const date = new Date(told?.getAttribute('datetime') ?? '');
  if (told && !Number.isNaN(date.getTime())) told.setAttribute('title', exact().format(date));
});

/** @param {number} bytes */
export function bytesOf(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10240 ? 1 : 0)} KiB`;
  return `${(bytes / 1048576).toFixed(1)} MiB`;
}

/** "3 hours ago" @param {Date} date */
export function ago(date) {
  const seconds = (date.getTime() - present()) / 1000;
  /** @type {[Intl.RelativeTimeFormatUnit, number][]} */
  const units = [['year', 31557600], ['month', 2629800], ['day', 86400], ['hour', 3600], ['minute', 60]];
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return relative().format(Math.round(seconds / size), unit);
}

/** @param {string} text @param {boolean} [short] */
export function time(text, short = false) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return h('span', {}, text);
  return h('time', { datetime: text }, short ? ago(date) : moment().format(date));
}

/** As a cell of a table has room for it. @param {any} value @param {any} property */
export const cell = (value, property) => (property?.dataType === 'DateTime' && typeof value === 'string'
  ? h('time', { datetime: value }, compact().format(new Date(value))) : shown(value, property));

/** @param {number} value */
export const count = (value) => number().format(value);

/** The first line of a text, in its own direction. @param {any} text */
export const words1 = (text) => h('bdi', {}, String(text));

/**
 * A value of a row or a record, for reading.
 * @param {any} value @param {{dataType?: string, displayTypes?: string[], label?: string} | undefined} property
 * @returns {any}
 */
export function shown(value, property) {
  if (value === null || value === undefined || value === '') return h('span', { class: 'soft' }, words.none);
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (Array.isArray(value)) return value.map((each) => [h('span', { class: 'tag' }, words1(typeof each === 'object' && each !== null ? nameOf(each, property) : each)), ' ']);
  if (typeof value === 'object') return shown(nameOf(value, property), undefined);
  if (property?.dataType === 'DateTime')
    return property.displayTypes?.[0] === 'DatePicker' ? h('time', { class: 'day', datetime: value }, day().format(new Date(value))) : time(value);
  if (typeof value === 'number' && property && !/Lookup/.test(property.dataType ?? '') && property.dataType !== 'Integer')
    return number().format(value);
  return words1(value);
}

/** What is said of a looked-up record. @param {any} value @param {{label?: string} | undefined} property */
export function nameOf(value, property) {
  if (property?.label && value[property.label] !== undefined) return value[property.label] ?? keyOf(value);
  const own = Object.keys(value).find((each) => !each.startsWith('_'));
  return own ? value[own] : keyOf(value);
}

/** @param {any} value */
export const keyOf = (value) => (typeof value === 'object' && value !== null
  ? Number(/\/(\d+)$/.exec(value._self ?? '')?.[1] ?? value.Ref ?? Number.NaN) : value);

/** @param {any} row @param {string} path @param {any} [property] */
export function valueAt(row, path, property) {
  let value = row;
  for (const part of path.split('.')) {
    if (value === null || value === undefined) return value;
    value = typeof value === 'object' ? value[part] : undefined;
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? nameOf(value, property) : value;
}

/** A text as $filter writes it. @param {string} text */
export const quotedLiteral = (text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
