// What is asked for while the other modules still load: the access token, and with it what a page of an entity begins with.
// It imports nothing, so nothing holds it up.
const { base = '', api = '' } = document.documentElement.dataset;
const [, page, entity] = /^\/workbench\/(search|record|new)\/([^/]+)/.exec(location.pathname.slice(base.length)) ?? [];
const paths = entity ? [`${entity}/$metadata${page === 'record' ? '?$expand=*' : ''}`, ...(page === 'search' ? ['$metadata'] : [])] : [];

const token = fetch(`${base}/workbench/token`, { method: 'POST', cache: 'no-store' }).catch(() => null);
const told = token.then((answer) => (answer?.ok ? answer.clone().json() : null)).catch(() => null);
const ask = async (/** @type {string} */ path) => {
  const key = await told;
  return key && fetch(`${base}${api}/${path}`, { cache: 'no-cache', headers: { Authorization: `Bearer ${key.access_token}` } }).catch(() => null);
};

/** Whoever takes one leaves nothing. @type {{token: Promise<Response | null> | null, answers: Map<string, Promise<Response | null>>}} */
export const first = { token, answers: new Map(paths.map((path) => [`${api}/${path}`, ask(path)])) };
