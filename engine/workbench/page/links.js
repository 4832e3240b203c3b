// Addresses of the pages, and what records and entities are called in them.
import { pathOf, place, queryOf } from './api.js';

/** @param {string} entity @param {Record<string, string>} query */
export const searchUrl = (entity, query = {}) => `${place.workbench}/search/${entity}${queryOf(query)}`;

/** The address of the record that a row stands for; nothing where its key has several parts. @param {any} row */
export function recordUrl(row) {
  const found = /^([\w-]+)\/(\d+)$/.exec(pathOf(row?._self ?? ''));
  return found ? `${place.workbench}/record/${found[1]}/${found[2]}` : null;
}

/** A lookup shows as the name of what it leads to. @param {import('./api.js').Property} property */
export const pathOfProperty = (property) => (property.dataType === 'Lookup' && property.label ? `${property.name}.${property.label}` : property.name);

/** "service-order" as people say it. @param {string} name */
export const titled = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
