// The jobs that people come for, by keyboard alone, and what may happen to them on the way: a right that is taken back, a
// reload that removes what is on screen, two tabs.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { launch, newTab, openTab, signIn, tokenOf, violations } from './workbench_page.mjs';

const api = '/service.api/api/v1';
let server, browser, receiver, token, scripts, answers = 500;
before(async () => {
  receiver = createServer((request, response) => { request.resume(); response.writeHead(answers); response.end(); }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  scripts = mkdtempSync(join(tmpdir(), 'callisto-jobs-'));
  cpSync('scripts', scripts, { recursive: true });
  server = await startServer('webhooks.time_scale=0.001', `scripts=${scripts}`);
  browser = await launch();
  token = await tokenOf(server, 'admin');
});
after(async () => {
  await browser?.close();
  await server?.stop();
  receiver?.close();
  receiver?.closeAllConnections();
  rmSync(scripts, { recursive: true });
});

async function send(method, path, body) {
  const answer = await fetch(`${server.url}${api}/${path}`, { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}

// By Tab alone, to what bears that name.
async function tabTo(page, name) {
  for (let pressed = 0; pressed < 250; ++pressed) {
    await page.keyboard.press('Tab');
    const reached = await page.evaluate(() => {
      const at = document.activeElement;
      return [at.getAttribute('aria-label'), at.labels?.[0]?.textContent, at.textContent].filter(Boolean).map((text) => text.trim());
    });
    if (reached.some((text) => text === name || text.startsWith(`${name}required`))) return;
  }
  assert.fail(`no Tab leads to ${name}`);
}

test('signing in, finding why an action is missing, doing another, by keyboard alone', async () => {
  const { Ref: ref } = await send('POST', 'incident', { ShortDescription: 'No ink' });
  const { context, page } = await openTab(browser, server);
  await page.goto(`${server.url}/workbench/record/incident/${ref}`);
  await page.getByRole('link', { name: 'Sign in as analyst' }).waitFor();
  await tabTo(page, 'Sign in as analyst');
  await page.keyboard.press('Enter');
  await page.locator('#username:focus').waitFor();
  await page.keyboard.type('admin');
  await page.keyboard.press('Tab');
  await page.keyboard.type('callisto');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Properties' }).waitFor();
  await tabTo(page, 'Why not?');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Why not Reopen?');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('does not hold').waitFor();
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement.blur());
  await tabTo(page, 'Close');
  await page.keyboard.press('Enter');
  await page.locator('form').waitFor();
  await page.locator('form :focus').waitFor();
  await page.keyboard.type('Filled up.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Close: done.').first().waitFor();
  await context.close();
});

test('mending the filter of a webhook and sending again what failed, by keyboard alone', async () => {
  const { Ref: webhook } = await send('POST', 'webhook', { Name: 'ERP', PayloadUrl: `http://127.0.0.1:${receiver.address().port}/`, Secret: 'a-secret-of-twenty-four-bytes',
    CoreEntityType: 'Call', PayloadFilter: 'Priority.Name == "Low"' });
  await send('PUT', `webhook/${webhook}/test`, {});
  while (!(await send('GET', `webhook/${webhook}/delivery`)).results.some((row) => row.Status === 'F'));
  answers = 204;
  const { context, page } = await openTab(browser, server);
  await signIn(page, server);
  await page.goto(`${server.url}/workbench/webhooks/${webhook}`);
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  await tabTo(page, 'Update');
  await page.keyboard.press('Enter');
  await page.locator('form').waitFor();
  await tabTo(page, 'Payload Filter');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Priority.Nam == "High"');
  await page.locator('[data-name=PayloadFilter] mark').waitFor();
  await page.keyboard.press('Escape');
  await tabTo(page, 'Use Name');
  await page.keyboard.press('Enter');
  await page.getByText('The filter is right.').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Update: done.').first().waitFor();
  assert.equal((await send('GET', `webhook/${webhook}`)).PayloadFilter, 'Priority.Name == "High"');
  await page.getByRole('checkbox', { name: /Select Ping/ }).waitFor();
  await tabTo(page, (await page.getByRole('checkbox', { name: /Select Ping/ }).first().getAttribute('aria-label')));
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+Tab');
  for (let pressed = 0; pressed < 10 && !/^Redeliver \d/.test(await page.evaluate(() => document.activeElement.textContent)); ++pressed) await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText('1 sent again.').first().waitFor();
  while (!(await send('GET', `webhook/${webhook}/delivery`)).results.some((row) => row.Status === 'S'));
  await context.close();
});

test('an action that a reload has removed: a sentence, and what was typed stays', async () => {
  const { Ref: ref } = await send('POST', 'incident', { ShortDescription: 'No paper' });
  const { context, page } = await openTab(browser, server);
  await signIn(page, server);
  await page.goto(`${server.url}/workbench/record/incident/${ref}`);
  await page.getByRole('button', { name: 'Add note' }).click();
  await page.locator('form [data-name=Description] textarea').fill('Long thought about.');
  rmSync(join(scripts, 'call', 'actions', 'add-note.lua'));
  process.kill(server.pid, 'SIGHUP');
  while ((await fetch(`${server.url}${api}/call/$add-note`, { headers: { authorization: `Bearer ${token}` } })).status === 200);
  await page.locator('form').getByRole('button', { name: 'Add note' }).click();
  await page.locator('form .problem').waitFor();
  assert.equal(await page.locator('form [data-name=Description] textarea').inputValue(), 'Long thought about.');
  assert.deepEqual(await violations(page), []);
  await page.reload();
  await page.getByRole('heading', { name: 'Properties' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Add note' }).count(), 0);
  await context.close();
});

test('a right that was taken back: a sentence, and the rest goes on', async () => {
  const person = (await send('GET', 'person?$filter=LoginId%20%3D%3D%20%22analyst2%22&$select=Ref')).results[0].Ref;
  const { context, page } = await openTab(browser, server);
  await signIn(page, server, 'analyst2');
  const second = await newTab(context, server);
  await second.page.goto(`${server.url}/workbench/search/call`);
  await second.page.locator('tbody tr').first().waitFor();
  await send('PUT', `person/${person}`, { IsAnalyst: false });
  await second.page.getByRole('button', { name: 'More' }).click();
  await second.page.locator('.problem').waitFor();
  assert.equal(await second.page.locator('tbody tr').count(), 50);
  assert.deepEqual(await violations(second.page), []);
  await page.reload();
  await page.getByRole('link', { name: 'Sign in as user' }).waitFor();
  await context.close();
});
