// Why an action is not offered: the record's state, and each part of the rule, asked of the server itself as a filter on
// this one record, with what stands in the record now.
import { ask, pathOf } from './api.js';
import { fill, fresh, h } from './dom.js';
import { shown } from './format.js';
import { trouble } from './trouble.js';
import { words } from './words.js';

/** The parts of a rule that all have to hold. @param {string} rule */
export function partsOf(rule) {
  const parts = [''];
  let depth = 0, isQuoted = false;
  for (let at = 0; at < rule.length; ++at) {
    const c = rule[at];
    if (isQuoted && c === '\\') { parts[parts.length - 1] += c + rule[++at]; continue; }
    if (c === '"') isQuoted = !isQuoted;
    if (!isQuoted && (c === '(' || c === ')')) depth += c === '(' ? 1 : -1;
    if (!isQuoted && depth === 0 && rule.startsWith('&&', at)) { parts.push(''); ++at; } else parts[parts.length - 1] += c;
  }
  return parts.map((part) => part.trim().replace(/^\((.*)\)$/s, (whole, inner) => (isOne(inner) ? inner.trim() : whole)));
}

/** Whether the parentheses around it belong together. @param {string} text */
function isOne(text) {
  let depth = 0;
  for (const c of text) {
    depth += c === '(' ? 1 : c === ')' ? -1 : 0;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/**
 * @typedef {{kind: string, rule: string, holds: boolean | null, values: [string, any][]}} Part
 * @param {import('./api.js').Entity} entity @param {any} record @param {string} rule @param {string} kind
 * @returns {Promise<Part[]>}
 */
function judged(entity, record, rule, kind) {
  return Promise.all(partsOf(rule).map(async (part) => {
    const { data } = await ask(`${entity.name}/$count`, { query: { $filter: `Ref == ${record.Ref} && (${part})` } })
      .catch(() => ({ data: null }));
    const count = typeof data === 'object' && data !== null ? data.__count ?? data.count : data;
    const named = entity.properties.filter((each) => new RegExp(`(^|[^@.\\w"])${each.name}\\b`).test(part.replace(/"[^"]*"/g, '""')));
    return { kind, rule: part, holds: data === null ? null : count > 0, values: named.map((each) => [each.displayName, shown(record[each.name], each)]) };
  }));
}

/** @param {import('./api.js').Entity} entity @param {any} record @param {any} action its metadata @param {string} session */
async function reasons(entity, record, action, session) {
  /** @type {Part[]} */ const parts = [];
  const state = entity.states?.find((each) => String(each.value) === String(stateOf(entity, record)));
  if (action.from?.length && state)
    parts.push({ kind: 'state', rule: action.from.join(', '), holds: action.from.includes(state.name), values: [[words.whyParts.state, state.name]] });
  if (action.offered) parts.push(...await judged(entity, record, action.offered, 'offered'));
  else if (action.holds?.offered === false) parts.push({ kind: 'offered', rule: words.hidden, holds: false, values: [] });
  return [...parts, ...await grants(entity, record, action, session)];
}

/**
 * Who may: the type of the session, and the right Administration, which whoever is told `allowed` has.
 * @param {import('./api.js').Entity} entity @param {any} record @param {any} action @param {string} session @returns {Promise<Part[]>}
 */
async function grants(entity, record, action, session) {
  const allowed = action.allowed ?? action.permissions ?? {};
  const mine = [allowed[session], action.allowed?.Administration].filter(Boolean);
  const others = Object.entries(allowed).filter(([, may]) => may).map(([name]) => name).join(', ') || words.none;
  if (mine.includes(true)) return [{ kind: 'right', rule: others, holds: action.holds?.allowed ?? true, values: [] }];
  if (mine.length) return (await Promise.all(mine.map((rule) => judged(entity, record, rule, 'allowed')))).flat();
  return [{ kind: 'right', rule: others, holds: action.holds?.allowed ?? (action.allowed ? false : null), values: [] }];
}

/** @param {import('./api.js').Entity} entity @param {any} record */
function stateOf(entity, record) {
  const value = entity.stateProperty ? record[entity.stateProperty] : undefined;
  return value && typeof value === 'object' ? Number(/\/(\d+)$/.exec(value._self)?.[1]) : value;
}

/** @param {import('./api.js').Entity} entity @param {any} record @param {import('./api.js').ActionLink} link @param {string} session */
export async function whyNot(entity, record, link, session) {
  const id = fresh('why');
  const body = h('div', {}, words.loading);
  const dialog = h('dialog', { 'aria-labelledby': id, onclose: () => dialog.remove() }, h('h2', { id }, words.whyTitle(link.displayName)), body,
    h('div', { class: 'row' }, h('button', { type: 'button', onclick: () => dialog.close() }, words.close)));
  document.body.append(dialog);
  dialog.showModal();
  try {
    const name = /\$([^?]*)/.exec(link._self)?.[1] ?? '';
    const { data: action } = await ask(['update', 'delete'].includes(name) ? `${entity.name}/$${name}` : `${pathOf(record._self)}/${name}/$options`);
    const parts = await reasons(entity, record, action, session);
    const isNow = parts.length > 0 && parts.every((each) => each.holds);
    fill(body, action.description && h('p', { class: 'soft' }, action.description),
      parts.length ? h('ul', { class: 'plain' }, parts.map(partLine)) : h('p', {}, words.whyElse),
      isNow && h('p', {}, action.offered === undefined ? words.whyElse : words.whyNow),
      action.source && h('p', {}, h('code', {}, action.source)));
  } catch (error) { fill(body, trouble(error)); }
}

/** @param {Part} part */
function partLine(part) {
  const said = part.holds === null ? null : h('span', { class: part.holds ? 'tag good' : 'tag bad' }, part.holds ? words.holds : words.holdsNot);
  return h('li', {}, h('div', {}, h('span', { class: 'soft' }, `${words.whyParts[part.kind]}: `), h('code', {}, part.rule),
    part.values.map(([name, value]) => h('div', { class: 'soft' }, `${name}: `, value))), said);
}
