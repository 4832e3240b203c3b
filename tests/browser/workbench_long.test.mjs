// A list of 100,000 rows in the workbench: however far one goes in it, the document holds a few pages of it and a page more
// costs what the first ones did. The rows are made here of one of the server's own.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { arrive, desktop, launch, notSignedIn, openTab, phone, signIn, violations, without } from './workbench_page.mjs';

const total = 100_000, most = 500;
let server, browser;
before(async () => {
  server = await startServer();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

// A tab at the list of so many: `$after` says the number of the row before, and a descending order begins at the other end.
async function open(options) {
  const { context, page, faults } = await openTab(browser, server, options);
  await signIn(page, server);
  let row = null;
  await page.route(/\/v1\/call\?/, async (route) => {
    const url = new URL(route.request().url());
    row ??= (await (await route.fetch()).json()).results[0];
    const start = Number(url.searchParams.get('$after') ?? 0), size = Number(url.searchParams.get('$top'));
    const isDown = /CallRef desc/.test(url.searchParams.get('$orderby'));
    const results = Array.from({ length: Math.min(size, total - start) }, (_, index) => {
      const number = isDown ? total - start - index : start + index + 1;
      return { ...row, _self: `api:v1/call/${number}`, CallRef: `C-${number}`, ShortDescription: `Row ${number} of a long list` };
    });
    url.searchParams.set('$after', String(start + size));
    const next = start + size < total ? { _links: { Next: [{ _self: `api:v1/call?${url.searchParams}` }] } } : {};
    await route.fulfill({ json: { ...(url.searchParams.has('$inlinecount') ? { __count: total } : {}), results, ...next } });
  });
  await page.goto(`${server.url}/workbench/search/call?order=CallRef%20asc`);
  await page.locator('tbody tr').first().waitFor();
  return { context, page, faults };
}

const rows = (page) => page.locator('tbody tr').count();
const first = (page) => page.locator('tbody tr').first().locator('td').first().textContent();
const last = (page) => page.locator('tbody tr').last().locator('td').first().textContent();
const status = (page) => page.getByRole('status').first().innerText();

// Presses that button so often, each time once the page before is drawn.
const press = (page, name, count) => page.evaluate(async ([text, times]) => {
  const status = document.querySelector('[role=status]');
  const button = [...document.querySelectorAll('button')].find((each) => each.textContent === text);
  for (; times > 0; --times) {
    const drawn = new Promise((done) => { new MutationObserver((_, observer) => { observer.disconnect(); done(); }).observe(status, { childList: true }); });
    button.click();
    await drawn;
    await new Promise(requestAnimationFrame);
  }
}, [name, count]);

for (const [size, options] of [['a wide screen', desktop], ['a phone', phone]])
  test(`of 100,000 rows a few pages are in the document, on ${size}`, async () => {
    const { context, page, faults } = await open(options);
    assert.equal(await status(page), '50 of 100000');
    await press(page, 'More', 9);
    assert.deepEqual([await rows(page), await first(page), await last(page), await status(page)], [most, 'C-1', 'C-500', '500 of 100000']);
    assert.equal(await page.getByRole('button', { name: 'Earlier rows' }).isVisible(), false);
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    await press(page, 'More', 30);
    assert.deepEqual([await rows(page), await first(page), await last(page), await status(page)], [most, 'C-1501', 'C-2000', '1501 to 2000 of 100000']);
    assert.ok(await page.evaluate(() => document.querySelectorAll('*').length) <= nodes + 20);
    await press(page, 'Earlier rows', 30);
    assert.deepEqual([await rows(page), await first(page), await last(page), await status(page)], [most, 'C-1', 'C-500', '500 of 100000']);
    assert.equal(await page.getByRole('button', { name: 'Earlier rows' }).isVisible(), false);
    await press(page, 'More', 1);
    await page.evaluate(() => scrollTo(0, 0));
    assert.deepEqual(await violations(page, '.pages > button'), []);
    assert.deepEqual(without(faults, notSignedIn), []);
    await context.close();
  });

test('what one looks at stays where it is, and the keyboard where it was', async () => {
  const { context, page } = await open(desktop);
  await press(page, 'More', 9);
  const place = (text) => page.locator('tbody tr', { hasText: text }).evaluate((row) => Math.round(row.getBoundingClientRect().top));
  await page.getByRole('button', { name: 'More' }).focus();
  const before = await place('Row 500 of');
  await page.keyboard.press('Enter');
  await page.locator('tbody tr', { hasText: 'Row 550 of' }).waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.ok(Math.abs(await place('Row 500 of') - before) <= 1);
  assert.equal(await page.evaluate(() => document.activeElement.textContent.slice(0, 20)), 'More');
  await page.getByRole('button', { name: 'Earlier rows' }).focus();
  const above = await place('Row 51 of');
  await page.keyboard.press('Enter');
  await page.locator('tbody tr', { hasText: 'Row 1 of' }).waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.ok(Math.abs(await place('Row 51 of') - above) <= 1);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'region');
  await context.close();
});

test('another order begins anew, a page is asked for once however often one presses, and one that does not come can be asked for again', async () => {
  const { context, page } = await open(desktop);
  await press(page, 'More', 12);
  await page.getByRole('button', { name: 'Call reference' }).click();
  await arrive(page, /order=CallRef%20desc/);
  await page.locator('tbody tr', { hasText: 'Row 100000 of' }).waitFor();
  assert.deepEqual([await rows(page), await status(page)], [50, '50 of 100000']);
  await page.getByRole('button', { name: 'More' }).evaluate((button) => { button.click(); button.click(); });
  await page.locator('tbody tr', { hasText: 'Row 99901 of' }).waitFor();
  await page.waitForTimeout(200);
  assert.equal(await rows(page), 100);
  await context.setOffline(true);
  await page.route(/\/v1\/call\?/, (route) => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('alert').getByText('The server does not answer').waitFor();
  assert.equal(await rows(page), 100);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('tbody tr', { hasText: 'Row 99851 of' }).waitFor();
  assert.equal(await rows(page), 150);
  await context.close();
});

test('a page more costs what the first ones did', async () => {
  const { context, page } = await open(desktop);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return ['LayoutDuration', 'RecalcStyleDuration', 'ScriptDuration'].reduce((sum, name) => sum + metrics.find((each) => each.name === name).value, 0);
  };
  const costOf = async (count) => { const before = await spent(); await press(page, 'More', count); return await spent() - before; };
  await press(page, 'More', 9);
  const earlier = await costOf(10);
  await press(page, 'More', 80);
  const later = await costOf(10);
  assert.ok(later < 2 * earlier, `${later} s after ${earlier} s`);   // 4 times as much where all rows stay
  await context.close();
});
