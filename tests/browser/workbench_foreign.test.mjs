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

// Every display type that metadata can suggest, with what a form has for it; and every type of numbers with a value.
const displays = [['boolean', 'Checkbox', 'checkbox'], ['datetime', 'DatePicker', 'date'], ['datetime', 'DateTimePicker', 'datetime-local'], ['lookup', 'Lookup', 'combobox'],
  ['lookup', 'MultiLookup', 'combobox'], ['lookup', 'MultiSelect', 'select'], ['lookup', 'ListBox', 'select'], ['lookup', 'Select', 'select'],
  ['lookup', 'TieredSelect', 'combobox'], ['integer', 'Numeric', 'decimal'], ['text', 'Password', 'password'], ['text', 'Text', 'text'],
  ['richtext', 'RichText', 'textarea'], ['richtext', 'TextArea', 'textarea']];
const numbers = { integer: '-7', long: '9007199254740991', short: '12', float: '1.5', double: '2.25', decimal: '3.75' };

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
  writeFileSync(join(folder, 'entities', 'berth.lua'), `return entity "berth" {
  description = "A place of a harbour, with a property for every display type.", status = "GA", summary = { "Ref", "Title" }, label = "Title",
  properties = {
    text "Title" { length = 40, required = true, description = "Its name." },
${displays.map(([lua, display], index) => `    ${lua} "P${index}" { display = "As ${display}", display_types = { "${display}" }${lua === 'lookup' ? ', entity = "vessel"' : ''} },`).join('\n')}
    ${Object.keys(numbers).map((type) => `${type} "N${type}" { display = "Of ${type}" },`).join('\n    ')}
    text "Kind" { length = 10, choices = { "Deep", "Dry" }, display = "With choices" },
    text "Long" { length = 2000, display = "Long text" },
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

test('every display type and every data type has a field, and what is typed arrives', async () => {
  const { context, page, faults } = await openTab(browser, server);
  await signIn(page, server);
  await page.goto(`${server.url}/workbench/new/berth`);
  await page.getByLabel('Title').fill('North');
  for (const [index, [, display, wanted]] of displays.entries()) {
    const control = page.locator(`[data-name=P${index}] :is(input, select, textarea)`);
    const kind = await control.evaluate((one) => [one.localName, one.getAttribute('role'), one.type, one.inputMode]);
    assert.ok(kind.includes(wanted), `${display}: ${kind}`);
  }
  await page.getByLabel('As Checkbox').check();
  await page.getByLabel('As DatePicker').fill('2026-05-04');
  await page.getByLabel('As DateTimePicker').fill('2026-05-04T03:02');
  await page.getByLabel('As TextArea').fill('two\nlines');
  await page.getByLabel('With choices').selectOption('Dry');
  for (const [type, value] of Object.entries(numbers)) await page.getByLabel(`Of ${type}`, { exact: true }).fill(value);
  await judge(page, faults, 'fields');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'North' }).waitFor();
  const text = await page.locator('main').innerText();
  for (const said of ['May 4, 2026', 'Dry', 'two', 'lines', 'Yes', '-7', '9,007,199,254,740,991', '12', '1.5', '2.25', '3.75']) assert.ok(text.includes(said), said);
  await context.close();
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
