// What people typed and did not send, in this tab alone and until they sign out: a session that ends, a server that goes
// or a page that is loaded again takes nothing.
const prefix = 'draft ';

/** @param {string} name @param {any} value */
export function keepDraft(name, value) {
  if (value === null) return sessionStorage.removeItem(prefix + name);
  try { sessionStorage.setItem(prefix + name, JSON.stringify(value)); } catch { /* full: the page itself still has it */ }
  return undefined;
}

/** @param {string} name @returns {any} */
export function draftOf(name) {
  try { return JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null'); } catch { return null; }
}

/** @param {string} name */
export const dropDraft = (name) => sessionStorage.removeItem(prefix + name);
export const dropDrafts = () => sessionStorage.clear();
