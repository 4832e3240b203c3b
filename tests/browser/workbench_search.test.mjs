// Search in the workbench: the filter with the server's own parser behind it, conditions, columns, order, pages, a link.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { arrive, judge, launch, newTab, openTab, signIn, violations } from './workbench_page.mjs';

let server, browser, context, page, faults;
before(async () => {
  server = await startServer();
  browser = await launch();
  ({ context, page, faults } = await openTab(browser, server));
  await signIn(page, server);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const open = async (path) => { await page.goto(`${server.url}/workbench/${path}`); await page.locator('tbody tr').first().waitFor(); };
const box = () => page.getByRole('combobox', { name: 'Filter' });
const rows = () => page.locator('tbody tr');
const status = () => page.getByRole('status').first().innerText();

test('the page is drawn by three requests, and fits', async () => {
  await open('search/call');
  assert.equal(await rows().count(), 50);
  assert.match(await status(), /^50 of \d+$/);
  assert.match(await page.locator('.drawer summary').innerText(), /^3 requests/);
  await judge(page, faults, 'search');
});

test('a misspelt property is underlined where the server says, and its suggestion taken by a click', async () => {
  await open('search/call');
  await box().fill('Priority.Name == "High" && Shortdescription.Contains("video")');
  await page.getByText('column 28').waitFor();
  assert.equal(await page.locator('.mirror mark').innerText(), 'Shortdescription');
  assert.deepEqual(await violations(page), []);
  await judge(page, faults.filter((text) => !/400/.test(text)), 'search-wrong');
  await page.getByRole('button', { name: 'Use ShortDescription' }).click();
  assert.equal(await box().inputValue(), 'Priority.Name == "High" && ShortDescription.Contains("video")');
  await box().press('Enter');
  await arrive(page, /filter=Priority/);
  await page.locator('tbody tr').first().waitFor();
  for (const text of await rows().allInnerTexts()) assert.match(text, /video/i);
});

test('the column counts characters, whatever stands before it', async () => {
  await open('search/call');
  await box().fill('ShortDescription.Contains("😀é") && Nothing == 1');
  await page.locator('.mirror mark').waitFor();
  assert.equal(await page.locator('.mirror mark').innerText(), 'Nothing');
});

test('what can stand there is offered: properties, paths of lookups, augmenters with parameters, values', async () => {
  await open('search/call');
  const offers = async (typed, wanted) => {
    await box().fill('');
    await box().pressSequentially(typed);
    await page.locator('[role=option] bdi').getByText(wanted, { exact: true }).first().waitFor();
  };
  await offers('Prio', 'Priority');
  await offers('Priority.Na', 'Name');
  await offers('@NowO', '@NowOffset(days, hours, minutes)');
  await offers('@InS', '@InState(state)');
  await offers('Priority.Name == "', 'High');
  await offers('State == ', 'Open');
  await offers('ShortDescription.', 'Contains');
  await offers('Priority.Name == "Hi', 'High');
  await page.keyboard.press('Tab');
  assert.equal(await box().inputValue(), 'Priority.Name == "High"');
  await offers('@IsOp', '@IsOpen');
  await page.keyboard.press('Enter');
  assert.equal(await box().inputValue(), '@IsOpen');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await arrive(page, /filter=%40IsOpen/);
});

test('conditions of the desk are chips that narrow and widen', async () => {
  await open('search/call');
  const all = Number(/of (\d+)/.exec(await status())[1]);
  await page.getByRole('button', { name: 'Is Open', exact: true }).click();
  await arrive(page, /filter=%40IsOpen/);
  await page.locator('tbody tr').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Is Open', exact: true }).getAttribute('aria-pressed'), 'true');
  assert.ok(Number(/of (\d+)/.exec(await status())[1]) < all);
  await page.getByRole('button', { name: 'Is Open', exact: true }).click();
  await arrive(page, (url) => !url.search.includes('filter'));
});

test('order, columns and further pages', async () => {
  await open('search/call?order=CallRef%20asc');
  const first = await rows().first().innerText();
  await page.getByRole('button', { name: 'Call reference' }).click();
  await arrive(page, /order=CallRef%20desc/);
  await page.locator('th[aria-sort=descending]').waitFor();
  await page.locator('tbody tr').first().waitFor();
  assert.notEqual(await rows().first().innerText(), first);
  await page.getByRole('button', { name: 'More' }).click();
  await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 100);
  await page.locator('summary', { hasText: 'Columns' }).click();
  await page.getByLabel('Columns').fill('CallRef\nUser.Organization.Name\n@AssignmentState');
  await page.locator('details form').getByRole('button', { name: 'Search' }).click();
  await arrive(page, /columns=/);
  assert.equal(await page.locator('thead th').count(), 3);
});

test('a link brings somebody else to the same list, and back leads back', async () => {
  await open('search/call?filter=%40IsOpen&order=DueDate%20desc');
  const texts = await rows().allInnerTexts();
  const other = await newTab(context, server);
  await other.page.goto(page.url());
  await other.page.locator('tbody tr').first().waitFor();
  assert.deepEqual(await other.page.locator('tbody tr').allInnerTexts(), texts);
  await other.page.close();
  await page.locator('tbody a').first().click();
  await arrive(page, /\/record\//);
  await page.goBack();
  await page.locator('tbody tr').first().waitFor();
  assert.equal(await box().inputValue(), '@IsOpen');
});

// Pages of 30 rows, which the server makes and names the next of.
const isCsv = (request) => request.headers().accept?.startsWith('text/csv');
const inSmallPages = (each) => page.route(/\/v1\/call\?/, (route) => {
  if (!isCsv(route.request())) return route.fallback();
  each?.();
  return route.continue({ url: route.request().url().replace('$top=2000', '$top=30') });
});

test('CSV has all that the list finds, page by page', async () => {
  await open('search/call?order=LoggedDate%20asc');
  const save = () => Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  const [whole] = await save();
  const expected = readFileSync(await whole.path(), 'utf8');
  let asked = 0;
  await inSmallPages(() => { asked++; });
  const [download] = await save();
  await page.unrouteAll();
  assert.equal(download.suggestedFilename(), 'call.csv');
  assert.ok(readFileSync(await download.path(), 'utf8') === expected);
  assert.match(expected, /^\uFEFF?CallRef,/);
  assert.ok(asked > 5, `${asked} pages`);
  assert.equal(asked, Math.ceil((await page.getByRole('status').first().innerText()).match(/of (\d+)/)[1] / 30));
});

test('a CSV that is cancelled, and one of which a page does not come', async () => {
  await open('search/call');
  let held;
  const holds = new Promise((resolve) => { held = resolve; });
  await inSmallPages();
  await page.route(/after=/, async (route) => { await holds; await route.abort(); });
  await page.getByRole('button', { name: 'CSV' }).click();
  await page.getByText(/^2000 of \d+ rows for the file/).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  held();
  await page.getByRole('button', { name: 'CSV' }).click();
  await page.getByRole('alert').getByText('The server does not answer').waitFor();
  await page.unrouteAll();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Try again' }).click()]);
  assert.equal(download.suggestedFilename(), 'call.csv');
});

test('an administrator sees how it is found', async () => {
  await open('search/call?filter=%40IsOpen');
  await page.getByText('How it is found').click();
  await page.locator('pre', { hasText: '"Plan"' }).waitFor();
  assert.deepEqual(await violations(page), []);
});

test('nothing found, and a filter in a link that is wrong: a sentence and a way on', async () => {
  await page.goto(`${server.url}/workbench/search/call?filter=Ref%20%3C%200`);
  await page.getByText('No record fits.').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.locator('tbody tr').first().waitFor();
  await page.goto(`${server.url}/workbench/search/call?filter=Nothing%20%3D%3D%201`);
  await page.locator('.mirror mark').waitFor();
  await page.goto(`${server.url}/workbench/search/nothing-of-that-name`);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  assert.deepEqual(await violations(page), []);
});
