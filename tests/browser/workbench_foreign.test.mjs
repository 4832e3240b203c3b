// The workbench knows no desk: its files hold no word of the sample desk, they stay small, and a desk with other entities
// is drawn by the same files.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { startServer } from '../support/server.mjs';
import { judge, launch, openTab, signIn } from './workbench_page.mjs';

const pages = 'engine/workbench/page';
const files = readdirSync(pages).map((name) => [name, readFileSync(join(pages, name), 'utf8')]);

let server, browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callisto-foreign-'));
  cpSync('entities', join(folder, 'entities'), { recursive: true });
  mkdirSync(join(folder, 'scripts'));
  writeFileSync(join(folder, 'entities', 'vessel.lua'), `return entity "vessel" {
  description = "A ship of the fleet.", status = "GA",
  summary = { "Ref", "Callsign", "Draught", "Launched", "Home" }, label = "Callsign",
  properties = {
    text "Callsign" { length = 12, required = true, description = "As the radio knows it." },
    decimal "Draught" { description = "In metres." },
    datetime "Launched" { description = "When it first swam." },
    lookup "Home" { entity = "vessel", description = "The ship that it belongs to." },
    text "Log" { length = 4000, description = "What the master wrote." },
  },
}
`);
  server = await startServer(`entities=${join(folder, 'entities')}`, 'scripts=scripts');
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true });
});

test('no word of the sample desk stands in the files of the workbench', () => {
  // What the engine itself relies on is no word of the desk.
  const own = /^(common|attachment|client|identity-link|me|partition|person|person-role|role|role-partition|script-failure|session|webhook.*)\.lua$/;
  const texts = readdirSync('entities').filter((name) => name.endsWith('.lua') && !own.test(name)).map((name) => readFileSync(join('entities', name), 'utf8'));
  const known = new Set(readdirSync('entities').filter((name) => own.test(name)).flatMap((name) => readFileSync(join('entities', name), 'utf8').match(/\b[A-Z][a-z]+[A-Z]\w*\b/g) ?? []));
  const words = new Set(texts.flatMap((text) => [...text.matchAll(/\b(?:text|lookup|boolean|datetime|integer|richtext|decimal)\s+"([A-Z][a-z]+[A-Z]\w*)"/g)].map((found) => found[1])));
  for (const name of readdirSync('entities')) if (name.includes('-') && !own.test(name)) words.add(name.replace('.lua', ''));
  for (const word of ['incident', 'priority', 'urgency', 'helpdesk', 'service desk', 'knowledge', 'reopen', 'ticket']) words.add(word);
  assert.ok(words.size > 40, 'the entities were not read as they are written');
  const found = [];
  for (const [name, text] of files)
    for (const word of words)
      if (!known.has(word) && new RegExp(`\\b${word}\\b`, 'i').test(text)) found.push(`${name}: ${word}`);
  assert.deepEqual(found, []);
});

test('the shell of all pages is at most 90 KiB, compressed', () => {
  const bytes = files.reduce((sum, [, text]) => sum + gzipSync(text, { level: 9 }).length, 0);
  assert.ok(bytes <= 90 * 1024, `${bytes} bytes`);
});

test('an entity that no line of the workbench knows is searched, made, opened and changed', async () => {
  const { context, page, faults } = await openTab(browser, server);
  await signIn(page, server);
  await page.goto(`${server.url}/workbench/search/vessel`);
  await page.getByText('There is no record yet.').waitFor();
  await page.getByRole('link', { name: 'New Vessel' }).click();
  await page.getByLabel('Callsign').fill('Ægir');
  await page.getByLabel('Draught').fill('4.25');
  await page.getByLabel('Launched').fill('2026-03-01T12:30');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Ægir' }).waitFor();
  await judge(page, faults, 'foreign');
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByLabel('Draught').fill('4.5');
  await page.locator('form').getByRole('button', { name: 'Update' }).click();
  await page.getByText('Update: done.').first().waitFor();
  await page.locator('dd', { hasText: '4.5' }).waitFor();
  await context.close();
});
