// How the pages of the workbench are loaded: each brings its own modules at once and those of the others later, and what does
// not come is a sentence and a way on.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer, request as ask } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { arrive, launch, newTab, openTab, signIn, violations, without } from './workbench_page.mjs';

const folder = 'engine/workbench/page';
const modules = readdirSync(folder).filter((name) => name.endsWith('.js'));
const textOf = (name) => readFileSync(join(folder, name), 'utf8');
const importsOf = (name) => [...textOf(name).matchAll(/^(?:import|export)\b[^;]*? from '\.\/([^']+)'/gm)].map(([, imported]) => imported);
const pages = [...textOf('app.js').matchAll(/\(\) => import\('\.\/([^']+)\.js'\)/g)].map(([, name]) => name);

// What a module needs, itself too.
function closureOf(name, found = new Set()) {
  if (!found.has(name)) {
    found.add(name);
    importsOf(name).forEach((each) => closureOf(each, found));
  }
  return found;
}

// Where each page is.
const urls = { start: '', search: 'search/call', record: 'record/incident/206', new: 'new/incident', webhooks: 'webhooks', rules: 'rules/call', health: 'health',
  changes: 'changes', sandbox: 'sandbox', failures: 'failures', people: 'people', audit: 'audit' };

let server, browser, context;
before(async () => {
  server = await startServer();
  browser = await launch();
  const tab = await openTab(browser, server);
  ({ context } = tab);
  await signIn(tab.page, server);
  await tab.page.close();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const moduleOf = (url) => /\/workbench\/files\/[^/]+\/(.+\.js)$/.exec(url)?.[1];
const isDrawn = (page) => page.waitForFunction(() => document.querySelector('main h1, main h2, main table') && !document.querySelector('main[aria-busy]'));

test('a page is a module that bears the first part of its url, and no page is part of the shell', () => {
  assert.deepEqual([...new Set(pages)].sort(), Object.keys(urls).sort());
  for (const [page, url] of Object.entries(urls)) assert.equal(url.split('/')[0] || 'start', page);
  const shell = closureOf('app.js');
  for (const page of pages) assert.equal(shell.has(`${page}.js`), false, page);
  assert.ok(shell.size <= 9, [...shell].join(' '));
  const reached = new Set(pages.flatMap((page) => [...closureOf(`${page}.js`)]));
  assert.deepEqual(modules.filter((name) => !reached.has(name)), []);
});

test('the document of each page names the modules that it needs, and no other is waited for', async () => {
  for (const [page, url] of Object.entries(urls)) {
    const { page: tab, faults } = await newTab(context, server);
    const needed = new Set([...closureOf('app.js'), ...closureOf(`${page}.js`)]);
    const asked = [];
    tab.on('request', (request) => { const name = moduleOf(request.url()); if (name) asked.push(name); });
    await tab.route(/\/workbench\/files\//, (route) => (needed.has(moduleOf(route.request().url()) ?? 'app.js') ? route.fallback() : route.abort()));
    const document1 = await (await tab.goto(`${server.url}/workbench/${url}`)).text();
    await isDrawn(tab);
    const named = [...document1.matchAll(/(?:src|modulepreload" href)="[^"]*\/([^"/]+\.js)"/g)].map(([, name]) => name);
    assert.deepEqual(named.sort(), [...needed].sort(), page);
    assert.equal(asked.filter((name) => needed.has(name)).length, needed.size, `${page} asks once for each`);
    assert.deepEqual(without(faults, /ERR_FAILED|Failed to fetch dynamically/), [], page);
    await tab.close();
  }
});

test('while nobody waits the other modules come, and then pages open without a network for them', async () => {
  const { page } = await newTab(context, server);
  const asked = new Set();
  page.on('request', (request) => { const name = moduleOf(request.url()); if (name) asked.add(name); });
  await page.goto(`${server.url}/workbench/search/call`);
  await page.locator('tbody tr').first().waitFor();
  for (let tries = 0; asked.size < modules.length && tries < 200; ++tries) await page.waitForTimeout(50);
  assert.deepEqual(modules.filter((name) => !asked.has(name)), []);
  await page.route(/\/workbench\/files\//, (route) => route.abort());
  for (const name of ['Webhooks', 'Rules of', 'Server']) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: name.replace(' of', ''), exact: true }).click();
    await page.getByRole('heading', { name: name === 'Server' ? 'Health' : name, level: 1 }).waitFor();
  }
  await page.close();
});

// A tab in a form with something typed, to which no other page's modules come.
async function typing() {
  const { page, faults } = await newTab(context, server);
  const needed = closureOf('new.js');
  let answer = (route) => route.abort();
  await page.route(/\/workbench\/files\//, (route) => (needed.has(moduleOf(route.request().url()) ?? 'app.js') ? route.fallback() : answer(route)));
  await page.goto(`${server.url}/workbench/new/incident`);
  await page.getByLabel('Short description').fill('What I typed');
  return { page, faults, answers: (other) => { answer = other; } };
}

const toWebhooks = (page) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Webhooks' }).click();
const isKept = async (page) => {
  await page.goto(`${server.url}/workbench/new/incident`);
  await page.waitForFunction(() => document.querySelector('[data-name=ShortDescription] :is(input, textarea)')?.value === 'What I typed');
};

// The same words come again, in a section of their own: the first one's going tells that this try is over.
async function tryInVain(page) {
  const button = await page.getByRole('button', { name: 'Try again' }).elementHandle();
  await button.click();
  await button.waitForElementState('hidden');
  await page.getByRole('heading', { name: 'The server does not answer' }).waitFor();
}

test('a module that a lost network holds back: the page says so, comes when it is back, and what was typed is kept', async () => {
  const { page, faults, answers } = await typing();
  await context.setOffline(true);
  await toWebhooks(page);
  await page.getByRole('heading', { name: 'The server does not answer' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await tryInVain(page);
  await context.setOffline(false);
  answers((route) => route.fallback());
  await page.getByRole('button', { name: 'Try again' }).click();
  const again = page.getByRole('button', { name: 'Load again' });
  await again.or(page.getByRole('heading', { name: 'Webhooks', level: 1 })).waitFor();
  if (await again.isVisible()) await again.click();   // where a browser remembers that a module failed
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  assert.deepEqual(without(faults, /ERR_INTERNET_DISCONNECTED|ERR_FAILED|dynamically imported module/), []);
  await isKept(page);
  await page.close();
});

test('a module of a version that the server no longer has: the page is loaded again, and what was typed is kept', async () => {
  const { page, answers } = await typing();
  answers((route) => route.fulfill({ status: 404, contentType: 'text/html', body: 'another version' }));
  await toWebhooks(page);
  await page.getByRole('heading', { name: 'This page did not load' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Load again' }).click();
  await page.getByRole('heading', { name: 'The server does not answer' }).waitFor();   // and no empty tab
  await context.setOffline(false);
  answers((route) => route.fallback());
  await page.getByRole('button', { name: 'Try again' }).click();
  const again = page.getByRole('button', { name: 'Load again' });
  await again.or(page.getByRole('heading', { name: 'Webhooks', level: 1 })).waitFor();
  if (await again.isVisible()) await again.click();
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  await isKept(page);
  await page.close();
});

// Holds back the module of a page until it is let go.
async function holding(name) {
  const { page, faults } = await newTab(context, server);
  let letGo = () => undefined;
  const held = new Promise((resolve) => { letGo = resolve; });
  await page.route(new RegExp(`/workbench/files/[^/]+/${name}\\.js`), async (route) => { await held; await route.fallback(); });
  return { page, faults, letGo };
}

test('back while a module loads leads back, and of two changes the later wins', async () => {
  const { page, faults, letGo } = await holding('webhooks');
  await page.goto(`${server.url}/workbench/search/call`);
  await page.locator('tbody tr').first().waitFor();
  await toWebhooks(page);
  await page.waitForURL(/\/webhooks$/);
  await page.goBack();
  await page.locator('tbody tr').first().waitFor();
  await toWebhooks(page);
  await page.getByText('Loading …').waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Rules' }).click();
  await arrive(page, /\/rules\/call$/);
  letGo();
  await page.waitForTimeout(300);
  assert.match(await page.title(), /^Rules of/);
  await page.getByRole('heading', { name: 'Rules of' }).waitFor();
  await toWebhooks(page);
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  assert.deepEqual(faults, []);
  await page.close();
});

test('a search that is still asked for takes nobody back who went on', async () => {
  const { page } = await newTab(context, server);
  await page.goto(`${server.url}/workbench/health`);
  await isDrawn(page);
  let letGo = () => undefined;
  const held = new Promise((resolve) => { letGo = resolve; });
  await page.route(/\/v1\/\$metadata$/, async (route) => { await held; await route.fallback(); });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Search' }).click();
  await page.waitForURL(/\/search$/);
  await toWebhooks(page);
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  letGo();
  await page.waitForTimeout(300);
  assert.match(page.url(), /\/webhooks$/);
  await page.close();
});

test('below a path of a proxy each page finds its modules', async () => {
  const proxy = createServer((from, to) => {
    const on = ask(`${below.url}${from.url.replace(/^\/desk/, '')}`, { method: from.method, headers: from.headers }, (answer) => { to.writeHead(answer.statusCode, answer.headers); answer.pipe(to); });
    from.pipe(on);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${proxy.address().port}`;
  const below = await startServer(`base_url=${url}/desk`);
  try {
    const { context: other, page, faults } = await openTab(browser, { url });
    await page.goto(`${url}/desk/workbench`);
    await signIn(page, { url: `${url}/desk` });
    for (const path of ['search/call', 'record/incident/206', 'webhooks', 'audit']) {
      await page.goto(`${url}/desk/workbench/${path}`);
      await isDrawn(page);
    }
    assert.deepEqual(without(faults, /401/), []);
    await other.close();
  } finally {
    proxy.close();
    proxy.closeAllConnections();
    await below.stop();
  }
});
