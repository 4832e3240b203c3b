// Rules in the workbench: the matrix with records now, a rule with its text and place, and who may not see them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { arrive, judge, launch, openTab, signIn, violations } from './workbench_page.mjs';

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
  assert.match(await page.locator('.drawer summary').innerText(), /^2 requests/);
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
  await arrive(page, /\/search\/incident\?filter=State/);
  await page.goto(`${server.url}/workbench/rules/organization`);
  await page.getByText('This entity has no states.').waitFor();
  await context.close();
});

test('the diagram shows states with their records, and every action on its line, by mouse and by key', async () => {
  const { context, page, faults } = await openTab(browser, server);
  await signIn(page, server);
  await page.goto(`${server.url}/workbench/rules/incident`);
  await page.getByRole('link', { name: 'Diagram' }).click();
  await arrive(page, /view=diagram/);
  const picture = page.locator('svg.diagram');
  await picture.waitFor();
  assert.match(await page.locator('.drawer summary').innerText(), /^1 request,/);
  // Whatever font this is: no text leaves its box, and no text lies over another.
  assert.deepEqual(await picture.evaluate((element) => {
    const boxes = [...element.querySelectorAll('text')].map((text) => ({ said: text.textContent, own: text.getBBox(), room: text.parentNode.querySelector('rect').getBBox() }));
    const out = boxes.filter(({ own, room }) => own.x < room.x || own.y < room.y || own.x + own.width > room.x + room.width || own.y + own.height > room.y + room.height);
    const over = boxes.filter(({ own: a }, i) => boxes.some(({ own: b }, k) => k < i && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height));
    return [...out, ...over].map((each) => each.said);
  }), []);
  assert.equal(await page.locator('svg.diagram a').count(), 6);
  await judge(page, faults, 'diagram');
  // By keys alone: to an action, whose rule is told, and to a state, whose records are searched.
  const reopen = picture.getByRole('button', { name: 'Reopen: Closed → Open', exact: true });
  await reopen.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Reopen' }).waitFor();
  assert.match(await page.locator('section[role=status]').innerText(), /reopen\.lua:1/);
  assert.deepEqual(await violations(page), []);
  await page.getByLabel('For', { exact: true }).selectOption('User');
  assert.ok(await picture.locator('.do.dim', { hasText: 'Resolve' }).count() > 0);
  assert.equal(await picture.locator('.do.dim', { hasText: 'Reopen' }).count(), 0);
  assert.deepEqual(await violations(page), []);
  await picture.getByRole('link', { name: /^Closed \d+ now/ }).focus();
  await page.keyboard.press('Enter');
  await arrive(page, /\/search\/incident\?filter=State/);
  await page.goBack();
  await picture.waitFor();
  await page.getByLabel('Rules of').selectOption('organization');
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
