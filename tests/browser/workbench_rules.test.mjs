// Rules in the workbench: the matrix with records now, a rule with its text and place, and who may not see them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { judge, launch, openTab, signIn, violations } from './workbench_page.mjs';

let server, browser;
before(async () => {
  server = await startServer();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('an administrator sees which state offers which action to whom, how many records are there, and where the rule stands', async () => {
  const { context, page, faults } = await openTab(browser, server);
  await signIn(page, server);
  await page.goto(`${server.url}/workbench/rules/incident`);
  const table = page.getByRole('table');
  await table.waitFor();
  assert.match(await page.locator('.drawer summary').innerText(), /^3 requests/);
  const heads = await table.locator('thead th').allInnerTexts();
  const cells = await table.locator('tbody tr', { hasText: 'Reopen' }).locator('td').allInnerTexts();
  const at = (name) => cells[heads.findIndex((head) => head.split('\n')[0] === name) - 1];
  assert.equal(at('Open'), '·');
  assert.match(at('Closed'), /^A/);
  assert.match(at('Moves to'), /Open/);
  assert.equal(at('Source'), 'scripts/call/actions/reopen.lua:1');
  assert.match(heads.join(' '), /\d+ now/);
  await judge(page, faults, 'rules');
  await table.getByRole('button', { name: 'Reopen' }).click();
  await page.getByRole('heading', { name: 'Reopen' }).waitFor();
  assert.match(await page.locator('section[role=status]').innerText(), /!@IsLockedByOther/);
  assert.deepEqual(await violations(page), []);
  await table.locator('thead a').first().click();
  await page.waitForURL(/\/search\/incident\?filter=State/);
  await page.goto(`${server.url}/workbench/rules/organization`);
  await page.getByText('This entity has no states.').waitFor();
  await context.close();
});

test('an analyst is told whom the rules are for', async () => {
  const { context, page } = await openTab(browser, server);
  await signIn(page, server, 'analyst');
  await page.goto(`${server.url}/workbench/rules/call`);
  await page.getByText('Rules are for administrators.').waitFor();
  assert.deepEqual(await violations(page), []);
  await context.close();
});
