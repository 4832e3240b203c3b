// The pages about the server: health, audit, failures, people, and changes with a reload; who may not see them is told.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startServer } from '../support/server.mjs';
import { arrive, judge, launch, openTab, signIn, tokenOf, violations } from './workbench_page.mjs';

let server, browser, page, faults, scripts;
const api = '/service.api/api/v1';
const broken = (more = '') => `return action "break" {
  description = "Fails.",
  run = function(call)
    local nothing = nil
    return nothing.field
  end,${more}
}
`;
const write = (text) => writeFileSync(join(scripts, 'call', 'actions', 'break.lua'), text);

before(async () => {
  scripts = mkdtempSync(join(tmpdir(), 'callisto-scripts-'));
  mkdirSync(join(scripts, 'call', 'actions'), { recursive: true });
  write(broken());
  server = await startServer(`scripts=scripts,${scripts}`);
  browser = await launch();
  ({ page, faults } = await openTab(browser, server));
  await signIn(page, server);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(scripts, { recursive: true, force: true });
});

test('health: figures as lines, what is wrong as a sentence, by keys alone', async () => {
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await arrive(page, /\/workbench\/health$/);
  await page.getByText('The server is well.').waitFor();
  assert.equal(await page.locator('.spark').count(), 8);
  assert.match(await page.locator('.drawer summary').innerText(), /^1 request,/);
  await page.getByRole('img', { name: /^Requests in 10 s: in the last hour at most \d/ }).waitFor();
  await page.getByText(/\d+ licences? in use/).waitFor();
  await judge(page, faults, 'health');
});

test('failures: by place, with the lines that ran, the calls that led there, and who met it', async () => {
  await page.goto(`${server.url}/workbench/failures`);
  await page.getByText('No script has failed.').waitFor();
  const token = await tokenOf(server, 'analyst');
  for (let i = 0; i < 3; i++) {
    const answer = await fetch(`${server.url}${api}/call/206/break`, { method: 'PUT', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: '{}' });
    assert.equal(answer.status, 500);
  }
  const group = page.locator('details.card', { hasText: 'break.lua:5' });
  for (;;) {   // they are written behind the requests
    await page.goto(`${server.url}/workbench/failures`);
    await page.getByRole('heading', { name: 'Failures' }).waitFor();
    if (await group.filter({ hasText: '3 ×' }).count()) break;
  }
  write('-- the disk says something else by now\n');
  await group.locator('summary').focus();
  await page.keyboard.press('Enter');
  await group.getByText('return nothing.field').waitFor();
  assert.equal(await group.locator('.source .hit').innerText(), '    return nothing.field');
  assert.match(await group.innerText(), /nil value/);
  assert.equal(await group.locator('ul.plain li').count(), 3);
  await judge(page, faults, 'failures');
  write(broken());
});

test('changes: a problem with its line, then what differs, then a reload from the page', async () => {
  write(broken('\n  ofered = "State == 1",'));
  await page.goto(`${server.url}/workbench/changes`);
  await page.getByText('What is on disk does not load.').waitFor();
  assert.equal(await page.locator('pre mark').innerText(), 'ofered');
  await page.getByText("did you mean 'offered'?").waitFor();
  assert.equal(await page.getByRole('button', { name: 'Reload' }).count(), 0);
  await judge(page, faults, 'changes-problem');
  write(broken('\n  offered = "State == 1",'));
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText(/What is on disk differs from what runs/).waitFor();
  await judge(page, faults, 'changes');
  await page.getByRole('button', { name: 'Run the specs' }).click();
  await page.getByText(/^All \d+ specs passed$/).waitFor();
  await page.getByText(/^What no spec reaches, in \d+ files$/).click();
  await page.getByText('break: no spec does it').waitFor();
  await judge(page, faults, 'changes-specs');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reload' }).click();
  await page.getByText('What is on disk is what runs.').waitFor();
  await page.locator('.tag.good', { hasText: 'Loaded' }).waitFor();
  assert.deepEqual(await violations(page), []);
});

test('people: who is signed in, what roles allow; a session is ended', async () => {
  const token = await tokenOf(server, 'user2').then((text) => text ?? tokenOf(server, 'analyst2'));
  await page.goto(`${server.url}/workbench/people`);
  const table = page.getByRole('region', { name: 'Sessions' });
  await table.waitFor();
  await page.getByRole('region', { name: 'Rights of roles' }).getByText('Administration').first().waitFor();
  await judge(page, faults, 'people');
  const me = await fetch(`${server.url}${api}/$metadata`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(me.status, 200);
  const rows = await table.locator('tbody tr').count();
  // Its own session is the last that one would end: the newest of another program.
  const row = table.locator('tbody tr').filter({ hasNotText: 'orkbench' }).last();
  await row.getByRole('button', { name: /^End/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await page.waitForFunction((count) => document.querySelectorAll('[aria-label="Sessions"] tbody tr').length === count, rows - 1);
  assert.deepEqual(await violations(page), []);
});

test('people: what another person sees, to read only, and as oneself again', async () => {
  await page.goto(`${server.url}/workbench/people`);
  const login = page.getByLabel('Login name');
  await login.fill('nobody');
  await page.getByRole('button', { name: 'View as' }).click();
  await page.getByText(/No active person with the login name 'nobody'/).waitFor();
  await login.fill('analyst');
  await page.getByRole('button', { name: 'View as' }).click();
  await page.getByText('Seen as analyst, to read only.').waitFor();
  await judge(page, faults, 'viewing');
  await page.locator('nav').getByRole('link', { name: 'Server' }).click();
  await page.getByText(/right Administration/).first().waitFor();
  await page.locator('nav').getByRole('link', { name: 'Search' }).click();
  await arrive(page, /\/workbench\/search/);
  await page.locator('tbody a').first().click();
  await arrive(page, /\/workbench\/record\//);
  await page.locator('.drawer summary').click();
  await page.locator('.drawer pre').filter({ hasText: 'Callisto-View-As: login=analyst' }).first().waitFor();
  await page.locator('.drawer summary').click();
  const done = await page.evaluate(() => document.querySelectorAll('header button[aria-expanded]').length);
  assert.ok(done > 0);   // what an analyst is offered
  await page.getByRole('button', { name: 'As myself again' }).click();
  await arrive(page, /\/workbench\/people$/);
  await page.getByRole('region', { name: 'Sessions' }).waitFor();
  assert.equal(await page.getByText('to read only.').count(), 0);
  await page.goto(`${server.url}/workbench/audit?event=viewed-as`);
  await page.getByText('viewed-as').first().waitFor();
  assert.deepEqual(await violations(page), []);
});

test('audit: the newest first, by event, with names, page by page', async () => {
  const token = await tokenOf(server, 'analyst');
  for (let i = 0; i < 60; i++) await fetch(`${server.url}${api}/session?$filter=Ref==${i}`, { headers: { authorization: `Bearer ${token}` } });
  await page.goto(`${server.url}/workbench/audit`);
  const table = page.getByRole('region', { name: 'Audit' });
  await table.waitFor();
  await table.getByText('action-denied').first().waitFor();
  await judge(page, faults, 'audit');
  while (!await table.getByText('session-ended').count()) {
    const shown = await table.locator('tbody tr').count();
    await page.getByRole('button', { name: 'More' }).click();
    await page.waitForFunction((count) => document.querySelectorAll('[aria-label=Audit] tbody tr').length > count, shown);
  }
  await page.getByLabel('Event').fill('sign-in');
  await page.getByLabel('Event').press('Enter');
  await arrive(page, /event=sign-in/);
  await table.waitFor();
  for (const text of await table.locator('tbody td[data-label=Event]').allInnerTexts()) assert.match(text, /sign-in$/);
  await page.getByLabel('Event').fill('nothing-such');
  await page.getByLabel('Event').press('Tab');
  await page.getByText('There is no event').waitFor();
});

test('an analyst is told whom these pages are for', async () => {
  const tab = await openTab(browser, server);
  await signIn(tab.page, server, 'analyst');
  for (const name of ['health', 'changes', 'failures', 'people', 'audit']) {
    await tab.page.goto(`${server.url}/workbench/${name}`);
    await tab.page.getByText('This page is for whoever has the right Administration.').waitFor();
  }
  assert.deepEqual(await violations(tab.page), []);
  await tab.context.close();
});

test('sandbox: enter as a person, do something, move the clock, and see what happened there and nowhere else', async () => {
  const records = async (path) => (await (await fetch(`${server.url}${api}/${path}`, { headers: { Authorization: `Bearer ${await tokenOf(server, 'admin')}` } })).json());
  const before = (await records('call?$inlinecount=true&$top=1')).__count;
  await page.goto(`${server.url}/workbench/health`);
  await page.getByRole('link', { name: 'Sandbox' }).click();
  await page.getByRole('button', { name: 'Begin a sandbox' }).click();
  await page.getByText('Nothing has happened yet.').waitFor();
  await judge(page, faults, 'sandbox');
  await page.getByLabel('Login name').fill('nobody');
  await page.getByRole('button', { name: 'Enter as' }).click();
  await page.getByText(/No active person with the login name 'nobody'/).waitFor();
  await page.getByLabel('Login name').fill('analyst');
  await page.getByRole('button', { name: 'Enter as' }).click();
  await page.getByText('In the sandbox as analyst.').waitFor();
  await page.getByRole('link', { name: 'Incident', exact: true }).click();
  await page.getByRole('link', { name: 'New' }).first().click();
  await page.getByLabel('Short Description').fill('Only in the sand');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: /Only in the sand/ }).waitFor();
  await page.getByRole('link', { name: 'Move the clock' }).click();
  await page.getByRole('button', { name: 'Two days on' }).click();
  await page.locator('.viewing time[datetime^="2026-12-03T"]').waitFor();
  await judge(page, faults, 'sandbox-moved');
  await page.getByRole('link', { name: /^incident \d+$/ }).first().click();
  await page.getByRole('heading', { name: /Only in the sand/ }).waitFor();
  await page.getByText('2 days ago').first().waitFor();  // by the sandbox's clock
  await page.getByRole('button', { name: 'Leave the sandbox' }).click();
  await page.getByRole('heading', { name: 'Sandbox' }).waitFor();
  assert.equal((await records('call?$inlinecount=true&$top=1')).__count, before);
  await page.getByRole('button', { name: 'End it' }).click();
  await page.getByRole('button', { name: 'Begin a sandbox' }).waitFor();
});
