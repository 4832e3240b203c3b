// A record in the workbench: what it says, what may be done with it and why something may not, its history and files.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { arrive, desktop, judge, launch, newTab, openTab, phone, signIn, tokenOf, violations } from './workbench_page.mjs';

const api = '/service.api/api/v1';
let server, browser, context, page, faults, token;
before(async () => {
  server = await startServer();
  browser = await launch();
  ({ context, page, faults } = await openTab(browser, server));
  await signIn(page, server);
  token = await tokenOf(server, 'admin');
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function send(method, path, body, type = 'application/json') {
  const answer = await fetch(`${server.url}${api}/${path}`, { method, headers: { authorization: `Bearer ${token}`, 'content-type': type }, body: body && JSON.stringify(body) });
  assert.ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json();
}

const make = async (more = {}) => (await send('POST', 'incident', { ShortDescription: 'No ink', ...more })).Ref;
const open = async (path, at = page) => { await at.goto(`${server.url}/workbench/record/${path}`); await at.getByRole('heading', { name: 'Properties' }).waitFor(); };

test('a record shows names, not keys, and fits', async () => {
  await open('incident/206');
  await page.getByText('Take ownership').last().waitFor();
  assert.match(await page.title(), /Video calls freeze/);
  assert.equal(await page.locator('dt', { hasText: /^Created By$/ }).locator('xpath=following-sibling::dd[1]').locator('a').count(), 1);
  assert.doesNotMatch(await page.locator('dt', { hasText: /^Created By$/ }).locator('xpath=following-sibling::dd[1]').innerText(), /^\d+$/);
  await judge(page, faults, 'record');
});

test('a record is drawn by one request once its kind is known, with its history and files', async () => {
  await page.goto(`${server.url}/workbench/search/incident`);
  const rows = page.locator('tbody tr td a');
  const drawn = async (number) => {
    await rows.nth(number).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.locator('.timeline li').first().waitFor();
    await page.getByText('There is no file.').or(page.getByRole('button', { name: /^Download/ })).first().waitFor();
  };
  await rows.first().waitFor();
  await drawn(0);
  await page.goBack();
  await rows.first().waitFor();
  const asked = [];
  const listen = (request) => { if (request.url().includes(api)) asked.push(request.url()); };
  page.on('request', listen);
  await drawn(1);
  page.off('request', listen);
  assert.equal(asked.length, 1, asked.join('\n'));
});

test('an action is done by its form, on a phone', async () => {
  const ref = await make();
  const hand = await context.newPage();
  await hand.setViewportSize(phone.viewport);
  await open(`incident/${ref}`, hand);
  await hand.getByRole('button', { name: 'Close', exact: true }).click();
  await hand.getByRole('form').or(hand.locator('form')).first().waitFor();
  await hand.getByLabel('Description').first().fill('Filled up.');
  assert.deepEqual(await violations(hand), []);
  await hand.locator('form').getByRole('button', { name: 'Close', exact: true }).click();
  await hand.getByText('Close: done.').first().waitFor();
  await hand.locator('.tag', { hasText: 'Closed' }).waitFor();
  await hand.getByText('Filled up.').waitFor();
  await hand.close();
});

test('the form of every action of a record fits and is accessible', async () => {
  const ref = await make();
  await open(`incident/${ref}`);
  for (const name of await page.locator('header button[aria-expanded]').allInnerTexts()) {
    await page.locator('header').getByRole('button', { name, exact: true }).click();
    await page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
    assert.deepEqual(await violations(page, 'form'), [], name);
  }
  await page.locator('header').getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByRole('heading', { level: 2, name: 'Update', exact: true }).waitFor();
  await judge(page, faults, 'record-form');
});

test('what is refused is told at its field, and what was typed stays', async () => {
  const ref = await make();
  await open(`incident/${ref}`);
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.getByLabel('Affected users').fill('many');
  await page.locator('form').getByRole('button', { name: 'Update' }).click();
  await page.locator('.wrong:not([hidden])').first().waitFor();
  assert.equal(await page.getByLabel('Affected users').inputValue(), 'many');
  assert.equal(await page.getByLabel('Affected users').getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await violations(page), []);
});

test('a lookup is found as one types, by keys alone', async () => {
  const ref = await make();
  await open(`incident/${ref}`);
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  const field = page.getByRole('combobox', { name: /^Service/ });
  await field.click();
  await field.fill('');
  await field.pressSequentially('mail');
  await page.locator('[role=option]', { hasText: /mail/i }).first().waitFor();
  const wanted = await page.locator('[role=option]').first().innerText();
  await page.keyboard.press('Enter');
  assert.equal(await field.inputValue(), wanted);
  await page.keyboard.press('Control+Enter');
  await page.getByText('Update: done.').first().waitFor();
  await page.locator('dd', { hasText: wanted }).first().waitFor();
});

test('somebody else was quicker: both are shown side by side, and one chooses', async () => {
  const ref = await make({ Description: 'first' });
  await open(`incident/${ref}`);
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await page.locator('form [data-name=Description] textarea').fill('mine');
  await send('PUT', `incident/${ref}`, { Description: 'theirs' });
  await page.locator('form').getByRole('button', { name: 'Update' }).click();
  await page.getByRole('heading', { name: 'Somebody else changed it meanwhile' }).waitFor();
  const row = await page.locator('.problem tr', { hasText: 'Description' }).last().innerText();
  for (const text of ['first', 'theirs', 'mine']) assert.match(row, new RegExp(text));
  await judge(page, faults.filter((text) => !/400/.test(text)), 'conflict');
  assert.equal((await send('GET', `incident/${ref}`)).Description, 'theirs');
  await page.getByRole('button', { name: 'Send mine over it' }).click();
  await page.getByText('Update: done.').first().waitFor();
  assert.equal((await send('GET', `incident/${ref}`)).Description, 'mine');
});

test('why an action is missing: the state, each part of the rule with its value, and where the rule stands', async () => {
  await open('incident/206');
  await page.getByText('Why not?', { exact: true }).click();
  await page.getByRole('button', { name: 'Why not Reopen?' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('does not hold').waitFor();
  const said = await dialog.innerText();
  assert.match(said, /State: Closed, Closed\/Unresolved/);
  assert.match(said, /!@IsLockedByOther[\s\S]*holds/);
  assert.match(said, /scripts\/call\/actions\/reopen\.lua:1/);
  await judge(page, faults, 'why-not');
  await page.keyboard.press('Escape');
});

test('an analyst is told which rule keeps an action away, without its text', async () => {
  const own = await openTab(browser, server);
  await signIn(own.page, server, 'analyst');
  const { Ref: ref } = await send('POST', 'incident', { ShortDescription: 'Locked' });
  await send('PUT', `incident/${ref}/lock`, {});
  await open(`incident/${ref}`, own.page);
  await own.page.getByText('Why not?', { exact: true }).click();
  await own.page.getByRole('button', { name: 'Why not Close?' }).click();
  await own.page.getByRole('dialog').getByText('a rule that administrators see').waitFor();
  const said = await own.page.getByRole('dialog').innerText();
  assert.match(said, /State: Open[\s\S]*holds/);
  assert.doesNotMatch(said, /@IsLockedByOther|\.lua/);
  await own.context.close();
});

test('files: dropped, listed, taken, removed after a question', async () => {
  const ref = await make();
  await open(`incident/${ref}`);
  await page.locator('input[type=file]').setInputFiles({ name: 'häßlich <b>.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  const file = page.getByRole('button', { name: /^Download / });
  await file.waitFor();
  assert.equal(await file.innerText(), 'häßlich <b>.txt');
  const [download] = await Promise.all([page.waitForEvent('download'), file.click()]);
  assert.equal(readFileSync(await download.path(), 'utf8'), 'hello');
  const data = await page.evaluateHandle(() => { const one = new DataTransfer(); one.items.add(new File(['x'], 'dropped.txt')); return one; });
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: data });
  await page.getByRole('button', { name: 'Download dropped.txt' }).waitFor();
  await page.getByRole('button', { name: /^Remove: dropped/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Download dropped.txt' }).waitFor({ state: 'detached' });
});

test('whatever a text says, it is shown as text, and rich text runs and fetches nothing', async () => {
  const folder = '../shared/data/badinput';
  const tricks = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(txt|json)$/.test(name)).slice(0, 6)
    .flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').split('\n').filter((line) => line && !line.startsWith('#')).slice(0, 400)) : [];
  const own = ['<script>document.title="hit"</script>', '"><img src=x onerror=alert(1)>', '{{7*7}} ${7*7}', '\u202Etxt.exe', '<svg/onload=alert(1)>', "'; DROP TABLE call; --"];
  const text = [...own, ...tricks].filter((line) => !/[\0-\x08\x0B-\x1F]/.test(line)).join('\n').slice(0, 3900).toWellFormed?.() ?? own.join('\n');
  const html = `<p style="position:fixed" onclick="document.title='hit'">plain <b>bold</b></p><img src=x onerror="document.title='hit'"><img src="https://elsewhere.example/pixel.png" alt="pixel"><a href="javascript:document.title='hit'">go</a>
    <a href="https://elsewhere.example/">away</a><script>document.title='hit'</script><iframe src="https://elsewhere.example/"></iframe><svg onload="document.title='hit'"></svg><style>body{display:none}</style>`;
  const ref = await make({ ShortDescription: own[0], Description: text, DescriptionHtml: html });
  await open(`incident/${ref}`);
  assert.match(await page.title(), /<script>document\.title/);
  const shown = await page.locator('dd .long').first().innerText();
  assert.ok(shown.includes(own[1]) && shown.includes('{{7*7}}'));
  assert.equal(await page.locator('main script, main iframe, main svg:not(.mark), main style, .rich img, [onerror]').count(), 0);
  assert.equal(await page.locator('.rich a[href^="javascript"]').count(), 0);
  assert.equal(await page.locator('.rich a', { hasText: 'away' }).innerText(), 'away (elsewhere.example)');
  assert.deepEqual(faults.filter((each) => !/status of (400|401)/.test(each)), []);
});

test('the session ends while one types: signing in again leads back to what was typed', async () => {
  const ref = await make();
  const own = await openTab(browser, server, desktop);
  await signIn(own.page, server, 'analyst');
  await open(`incident/${ref}`, own.page);
  await own.page.getByRole('button', { name: 'Add note' }).click();
  await own.page.locator('form [data-name=Description] textarea').fill('Long thought about.');
  for (const row of (await send('GET', 'session?$filter=Client.ClientId%20%3D%3D%20%22workbench%22%20%26%26%20Person.LoginId%20%3D%3D%20%22analyst%22')).results)
    await send('DELETE', `session/${row.Ref}`);
  await own.page.locator('form').getByRole('button', { name: 'Add note' }).click();
  await own.page.getByText(/session has ended/i).waitFor();
  assert.equal(await own.page.locator('form [data-name=Description] textarea').inputValue(), 'Long thought about.');
  await own.page.reload();
  await own.page.getByRole('heading', { name: 'The session has ended' }).waitFor();
  await own.page.getByRole('link', { name: 'Sign in as analyst' }).click();
  await own.page.getByLabel('User name').fill('analyst');
  await own.page.getByLabel('Password').fill('callisto');
  await own.page.getByRole('button', { name: 'Sign in' }).click();
  await arrive(own.page, new RegExp(`/record/incident/${ref}$`));
  await own.page.getByRole('button', { name: 'Add note' }).click();
  await own.page.waitForFunction(() => document.querySelector('form [data-name=Description] textarea')?.value === 'Long thought about.');
  await own.context.close();
});

test('what is not there, or no more, is a sentence and a way on', async () => {
  await page.goto(`${server.url}/workbench/record/incident/999999`);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('link', { name: 'To the start' }).click();
  await page.getByRole('heading', { name: 'Workbench' }).waitFor();
});
