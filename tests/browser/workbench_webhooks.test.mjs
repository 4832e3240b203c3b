// Webhooks in the workbench: made, tested, previewed; what was delivered is seen, and sent again.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { arrive, judge, launch, openTab, signIn, tokenOf, violations } from './workbench_page.mjs';

const api = '/service.api/api/v1';
let server, browser, page, faults, receiver, token, answers = 500;
before(async () => {
  receiver = createServer((request, response) => { request.resume(); response.writeHead(answers, { 'X-Said': 'here' }); response.end('<b>not now</b>'); }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  server = await startServer('webhooks.time_scale=0.001');
  browser = await launch();
  ({ page, faults } = await openTab(browser, server));
  await signIn(page, server);
  token = await tokenOf(server, 'admin');
});
after(async () => {
  await browser?.close();
  await server?.stop();
  receiver?.close();
  receiver?.closeAllConnections();
});

async function send(method, path, body) {
  const answer = await fetch(`${server.url}${api}/${path}`, { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}

// Until the server's own list says so; nothing is slept for.
async function until(condition, path) {
  for (;;) {
    const { results } = await send('GET', path);
    if (condition(results)) return results;
  }
}

test('no webhook yet: what one is, and a form whose filter is judged as one types', async () => {
  await page.goto(`${server.url}/workbench/webhooks`);
  await page.getByText('There is no webhook yet.').waitFor();
  await judge(page, faults, 'webhooks-none');
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByLabel('Name', { exact: true }).fill('The ERP');
  await page.getByLabel('Payload URL').fill(`http://127.0.0.1:${receiver.address().port}/hook`);
  await page.getByLabel('Secret').fill('a-secret-of-twenty-four-bytes');
  await page.getByLabel('Core Entity Type').selectOption('Call');
  const filter = page.getByRole('combobox', { name: 'Payload Filter' });
  await filter.fill('Pririty.Name == "High"');
  await page.locator('[data-name=PayloadFilter] mark').waitFor();
  await judge(page, faults, 'webhook-form');
  await page.locator('[data-name=PayloadFilter]').getByRole('button', { name: 'Use Priority' }).click();
  await page.getByText('The filter is right.').waitFor();
  await filter.fill('');
  await page.getByLabel('Events').selectOption('Individual');
  await page.getByLabel('Individual Triggers').fill('Closed Created');
  await page.locator('form').getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'The ERP' }).waitFor();
});

test('a test is sent, a preview shown, and every attempt can be looked into', async () => {
  const [{ Ref: webhook }] = (await send('GET', 'webhook?$select=Ref')).results;
  await page.goto(`${server.url}/workbench/webhooks/${webhook}`);
  await page.getByRole('button', { name: 'Update' }).click();
  await page.waitForFunction(() => document.querySelector('[data-name=IndividualTriggers] textarea')?.value === 'Closed Created');
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.locator('form').getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('link', { name: 'Ping' }).first().waitFor();
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.locator('form [data-name=Entity] input').fill('incident');
  await page.locator('form [data-name=Ref] input').fill('206');
  await page.locator('form [data-name=Event] input').fill('Closed');
  await page.locator('form').getByRole('button', { name: 'Preview' }).click();
  await page.locator('pre', { hasText: '"Matches": true' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await until((rows) => rows.some((row) => row.Status === 'F'), `webhook/${webhook}/delivery`);
  await page.goto(`${server.url}/workbench/webhooks/${webhook}?status=F`);
  await page.getByRole('link', { name: 'Ping' }).first().waitFor();
  await judge(page, faults, 'webhook');
  await page.getByRole('link', { name: 'Ping' }).first().click();
  await page.getByRole('heading', { name: 'Attempts' }).waitFor();
  await page.locator('pre', { hasText: '<b>not now</b>' }).first().waitFor();
  assert.match(await page.locator('main').innerText(), /"Action": "Ping"/);
  await judge(page, faults, 'delivery');
});

test('of several values each is shown, on its own page and in a row of a search', async () => {
  const [{ Ref: webhook }] = (await send('GET', 'webhook?$select=Ref')).results;
  await page.goto(`${server.url}/workbench/webhooks/${webhook}`);
  await page.locator('summary', { hasText: 'Settings' }).click();
  await page.locator('dd .tag').first().waitFor();
  assert.deepEqual(await page.locator('dd .tag').filter({ hasText: /^(Closed|Created)$/ }).allInnerTexts(), ['Closed', 'Created']);
  await page.goto(`${server.url}/workbench/webhooks/${webhook}`);
  await page.getByRole('button', { name: 'Update' }).click();   // what the settings need is known by then
  await page.locator('form').getByRole('button', { name: 'Cancel' }).click();
  await page.locator('summary', { hasText: 'Settings' }).click();
  await page.locator('dd .tag').filter({ hasText: 'Closed' }).waitFor();
  await page.locator('summary', { hasText: 'Why not?' }).click();
  await page.getByRole('button', { name: /^Why not / }).first().or(page.getByText('All that can be done with it is offered.')).waitFor();
  await page.goto(`${server.url}/workbench/search/webhook?columns=Ref,IndividualTriggers`);
  await page.locator('tbody tr').first().waitFor();
  assert.deepEqual(await page.locator('tbody td .tag').allInnerTexts(), ['Closed', 'Created']);
});

test('from the list a webhook with its deliveries is drawn by two requests', async () => {
  await page.goto(`${server.url}/workbench/webhooks`);
  const asked = [];
  const listen = (request) => { if (request.url().includes(api)) asked.push(request.url()); };
  await page.getByRole('link', { name: 'The ERP' }).waitFor();
  page.on('request', listen);
  await page.getByRole('link', { name: 'The ERP' }).click();
  await page.getByRole('link', { name: 'Ping' }).first().waitFor();
  page.off('request', listen);
  assert.equal(asked.length, 2, asked.join('\n'));
});

test('what failed is sent again, one or several, once the receiver is mended', async () => {
  answers = 204;
  const [{ Ref: webhook }] = (await send('GET', 'webhook?$select=Ref')).results;
  await page.goto(`${server.url}/workbench/webhooks/all?status=F`);
  await page.getByRole('checkbox', { name: /Select Ping/ }).first().check();
  await page.getByRole('button', { name: 'Redeliver 1' }).click();
  await page.getByText('1 sent again.').first().waitFor();
  await until((rows) => rows.some((row) => row.Status === 'S' && row.Redelivery), `webhook/${webhook}/delivery`);
  await page.goto(`${server.url}/workbench/webhooks/${webhook}?status=S`);
  await page.getByRole('link', { name: 'Ping' }).first().click();
  await arrive(page, /webhooks\/\d+\/\d+$/);
  const former = page.url();
  await page.getByRole('button', { name: 'Redeliver', exact: true }).click();
  await arrive(page, (url) => /webhooks\/\d+\/\d+$/.test(url.pathname) && url.href !== former);
});

test('all that failed of a time is sent again, after it was told how many', async () => {
  const [{ Ref: webhook }] = (await send('GET', 'webhook?$select=Ref')).results;
  answers = 410;
  for (let i = 0; i < 2; i++) await send('PUT', `webhook/${webhook}/test`, {});
  await until((rows) => rows.filter((row) => row.Status === 'F').length >= 2 && rows.every((row) => !['P', 'R'].includes(row.Status)), `webhook/${webhook}/delivery`);
  answers = 204;
  await page.goto(`${server.url}/workbench/webhooks/all?since=1`);
  await page.locator('tbody tr').first().waitFor();
  await page.getByRole('button', { name: 'Redeliver all that failed' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: /^Redeliver \d+ that failed \(the last hour\)\?$/ }).waitFor();
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: /^Redeliver \d+$/ }).click();
  await page.getByText(/\d+ sent again\./).first().waitFor();
  await until((rows) => rows.filter((row) => row.Status === 'S' && row.Redelivery).length >= 2, `webhook/${webhook}/delivery`);
});

test('the list follows what happens while it is looked at', async () => {
  const [{ Ref: webhook }] = (await send('GET', 'webhook?$select=Ref')).results;
  await page.clock.install();
  await page.goto(`${server.url}/workbench/webhooks/${webhook}`);
  await page.locator('tbody tr').first().waitFor();
  const before = await page.locator('tbody tr').count();
  await page.getByLabel('Follow').check();
  await send('PUT', `webhook/${webhook}/test`, {});
  await page.clock.runFor(6000);
  await page.waitForFunction((count) => document.querySelectorAll('tbody tr').length > count, before);
});

test('an hour of deliveries that are followed leaves the heap small', async () => {
  const [{ Ref: webhook }] = (await send('GET', 'webhook?$select=Ref')).results;
  answers = 204;
  let looks = 0;
  const listen = (response) => { if (response.url().includes('delivery')) looks++; };
  page.on('response', listen);
  for (let wanted = 1; wanted <= 720; wanted++) {   // each five seconds
    await send('PUT', `webhook/${webhook}/test`, {});
    while (looks < wanted) await page.clock.runFor(5000);
  }
  page.off('response', listen);
  const browserSession = await page.context().newCDPSession(page);
  await browserSession.send('HeapProfiler.collectGarbage');
  const { usedSize } = await browserSession.send('Runtime.getHeapUsage');
  await browserSession.detach();
  assert.ok(usedSize < 30 * 2 ** 20, `${usedSize} bytes`);
  if (process.env.SCREENSHOTS) console.log(`# the heap after it: ${(usedSize / 2 ** 20).toFixed(1)} MiB`);
});

test('whoever may not see webhooks is told so', async () => {
  const own = await openTab(browser, server);
  await signIn(own.page, server, 'user', 'user');
  await own.page.goto(`${server.url}/workbench/webhooks`);
  await own.page.getByRole('heading', { name: /You may not see this|There is no such page/ }).waitFor();
  assert.deepEqual(await violations(own.page), []);
  await own.context.close();
});

test('what is being retried is tried at once, from the list and from its page', async () => {
  const slow = await startServer();
  const tab = await openTab(browser, slow);
  answers = 503;
  try {
    await signIn(tab.page, slow);
    const key = await tokenOf(slow, 'admin');
    const post = (method, path, body) => fetch(`${slow.url}${api}/${path}`, { method, headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((each) => each.json());
    const { Ref: webhook } = await post('POST', 'webhook', { PayloadUrl: `http://127.0.0.1:${receiver.address().port}/hook`, CoreEntityType: 'Call', Active: true });
    await post('PUT', `webhook/${webhook}/test`, {});
    const button = tab.page.getByRole('button', { name: /^Try now: Ping/ });
    for (;;) {   // until its first attempt is written down
      await tab.page.goto(`${slow.url}/workbench/webhooks/${webhook}`);
      await tab.page.getByRole('link', { name: 'Ping' }).first().waitFor();
      if (await button.count()) break;
    }
    assert.deepEqual(await violations(tab.page), []);
    const attempts = async () => Number(await tab.page.locator('td[data-label=Attempts]').first().innerText());
    await button.focus();
    await tab.page.keyboard.press('Enter');
    while (await attempts() < 2) await tab.page.reload().then(() => tab.page.getByRole('link', { name: 'Ping' }).first().waitFor());
    answers = 204;
    await tab.page.getByRole('link', { name: 'Ping' }).first().click();
    await tab.page.getByRole('button', { name: 'Try now' }).click();
    await tab.page.getByRole('heading', { name: 'Attempts' }).waitFor();
    while (!await tab.page.locator('main .tag', { hasText: 'Delivered' }).count()) await tab.page.reload().then(() => tab.page.getByRole('heading', { name: 'Attempts' }).waitFor());
  } finally {
    await tab.context.close();
    await slow.stop();
  }
});
