// The workbench in a real browser (Debian's chromium): signing in, and what holds of every page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { arrive, judge, launch, newTab, notSignedIn, openTab, signIn, violations, without } from './workbench_page.mjs';

let server, browser;
before(async () => {
  server = await startServer('licences=30');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('who opens the address signs in and is there, and a second tab needs no second sign-in', async () => {
  const { context, page, faults } = await openTab(browser, server);
  await page.goto(server.url);
  await page.getByRole('heading', { name: 'Workbench' }).waitFor();
  await judge(page, faults, 'sign-in');
  await signIn(page, server);
  await judge(page, faults, 'start');
  const cookies = await context.cookies();
  assert.deepEqual(cookies.filter(({ name }) => name === 'callisto-workbench').map(({ httpOnly, sameSite }) => [httpOnly, sameSite]), [[true, 'Strict']]);
  assert.equal(await page.evaluate(() => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage })), '{}{}');
  const second = await newTab(context, server);
  await second.page.goto(`${server.url}/workbench`);
  await second.page.getByRole('navigation').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in as analyst' }).waitFor();
  await second.page.reload();
  await second.page.getByRole('link', { name: 'Sign in as analyst' }).waitFor();
  await context.close();
});

test('a link to somewhere within leads there after signing in', async () => {
  const { context, page } = await openTab(browser, server);
  await page.goto(`${server.url}/workbench/search/person?filter=LastName.StartsWith(%22S%22)`);
  await page.getByRole('link', { name: 'Sign in as analyst' }).click();
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill('callisto');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await arrive(page, /\/workbench\/search\/person\?filter=/);
  await page.getByRole('table').waitFor();
  await context.close();
});

test('who breaks signing in off, or may not hold such a session, is told so', async () => {
  const { context, page, faults } = await openTab(browser, server);
  await page.goto(`${server.url}/workbench`);
  await page.getByRole('link', { name: 'Sign in as analyst' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('alert').waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(without(faults, notSignedIn), []);
  await context.close();
});

test('keys jump, and the requests of a page are commands that work', async () => {
  const { context, page } = await openTab(browser, server);
  await signIn(page, server);
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await arrive(page, /\/workbench\/search\//);
  await page.getByRole('table').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await page.keyboard.press('.');
  const command = await page.locator('.requests pre').last().innerText();
  assert.match(command, /^curl -H "Authorization: Bearer \$TOKEN" '?http/);
  assert.equal((await page.content()).includes('Bearer cla'), false);
  await context.close();
});

test('the server goes: a sentence and a way on', async () => {
  const { context, page } = await openTab(browser, server);
  await signIn(page, server);
  await context.setOffline(true);
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('heading', { name: 'The server does not answer' }).waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table').waitFor();
  await context.close();
});
