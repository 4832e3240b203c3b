// How many requests of the API draw each page of the workbench in a tab that has kept nothing. The access token is not
// counted: every tab asks for one, once.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { launch, openTab, signIn, tokenOf } from './workbench_page.mjs';

const api = '/service.api/api/v1';
let server, browser, state, receiver, webhook, delivery;
before(async () => {
  receiver = createServer((request, response) => { request.resume(); response.writeHead(500).end(); }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  server = await startServer('webhooks.time_scale=0.001');
  browser = await launch();
  const { context, page } = await openTab(browser, server);
  await signIn(page, server);
  state = await context.storageState();
  await context.close();
  const token = await tokenOf(server, 'admin');
  const send = async (method, path, body) => (await fetch(`${server.url}${api}/${path}`, { method, body: body && JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })).json();
  webhook = (await send('POST', 'webhook', { Name: 'The ERP', PayloadUrl: `http://127.0.0.1:${receiver.address().port}/hook`, CoreEntityType: 'Call', Events: 'All' })).Ref;
  await send('PUT', `webhook/${webhook}/test`, {});
  do [delivery] = (await send('GET', `webhook/${webhook}/delivery`)).results; while (!delivery);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  receiver?.close();
  receiver?.closeAllConnections();
});

// The paths that are asked for until `drawn` is there and nothing is waited for.
async function askedBy(path, drawn) {
  const { context, page } = await openTab(browser, server, { storageState: state, viewport: { width: 1280, height: 860 } });
  const asked = [];
  page.on('request', (request) => { const url = new URL(request.url()); if (url.pathname.startsWith(api)) asked.push(url.pathname.slice(api.length)); });
  await page.goto(`${server.url}/workbench/${path}`);
  await drawn(page);
  await page.waitForLoadState('networkidle');
  await context.close();
  return asked.sort();
}

const rows = (page) => page.locator('tbody tr').first().waitFor();
const heading = (name) => (page) => page.getByRole('heading', { name, exact: true }).first().waitFor();

test('the start is drawn by 1 request, a search by 3, rules by 2', async () => {
  assert.deepEqual(await askedBy('', heading('Workbench')), ['/$metadata']);
  assert.deepEqual(await askedBy('search/call', rows), ['/$metadata', '/call', '/call/$metadata']);
  assert.deepEqual(await askedBy('search/call?columns=CallRef,State.Name&filter=%40IsOpen', rows).then((asked) => asked.filter((path) => path !== '/call/$count')), ['/$metadata', '/call', '/call/$metadata']);
  assert.deepEqual(await askedBy('rules/call', rows), ['/$metadata', '/call/$rules']);
});

test('a record with its history and files is drawn by 2: what all of it is, and itself', async () => {
  const timeline = async (page) => { await page.locator('.timeline li').first().waitFor(); await page.getByText('There is no file.').waitFor(); };
  assert.deepEqual(await askedBy('record/incident/206', timeline), ['/incident/$metadata', '/incident/206']);
});

test('webhooks, one of them with its deliveries, all deliveries and one of them are drawn by 2 at most', async () => {
  assert.deepEqual(await askedBy('webhooks', rows), ['/webhook', '/webhook/$metadata']);
  assert.deepEqual(await askedBy(`webhooks/${webhook}`, rows), ['/webhook-delivery', `/webhook/${webhook}`]);
  assert.deepEqual(await askedBy('webhooks/all', rows), ['/webhook-delivery']);
  assert.deepEqual(await askedBy(`webhooks/${webhook}/${delivery.Ref}`, heading('Attempts')), [`/webhook-delivery/${delivery.Ref}`]);
});

test('a form of a new record is drawn by 2 and the lists of its choices, and each page about the server by 3 at most', async () => {
  const asked = await askedBy('new/incident', heading('New Incident'));
  assert.deepEqual(asked.filter((path) => path.includes('$')), ['/incident/$create', '/incident/$metadata']);
  assert.equal(new Set(asked).size, asked.length);
  for (const [path, name] of [['health', 'Health'], ['changes', 'Changes'], ['failures', 'Failures'], ['audit', 'Audit'], ['sandbox', 'Sandbox']]) {
    const asked = await askedBy(path, heading(name));
    assert.ok(asked.length <= 3, `${path}: ${asked}`);
  }
});
