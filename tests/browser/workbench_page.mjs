// What the tests of the workbench share: a browser that is signed in, the faults that it complained of, and pictures.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { oauth } from '../support/server.mjs';

export const desktop = { viewport: { width: 1280, height: 860 }, reducedMotion: 'reduce' };   // or axe measures colours on their way
export const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, reducedMotion: 'reduce' };

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
                                              args: process.getuid() === 0 ? ['--no-sandbox'] : [] });

// A browser profile and a tab of it. `faults`: what the console, the policy or another host's name in a request told.
export async function openTab(browser, server, options = desktop) {
  const context = await browser.newContext(options);
  return { context, ...await newTab(context, server) };
}

export async function newTab(context, server) {
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) faults.push(message.text()); });
  page.on('pageerror', (error) => faults.push(String(error.stack ?? error)));
  page.on('request', (request) => { if (/^http/.test(request.url()) && !request.url().startsWith(server.url)) faults.push(`a foreign request: ${request.url()}`); });
  return { page, faults };
}

export async function signIn(page, server, login = 'admin', as = 'analyst') {
  await page.goto(`${server.url}/`);
  await page.getByRole('link', { name: `Sign in as ${as}` }).click();
  await page.getByLabel('User name').fill(login);
  await page.getByLabel('Password').fill('callisto');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').waitFor();
}

// An access token of a program's own, for what a test does beside the browser.
export async function tokenOf(server, login) {
  const answer = await fetch(`${server.url}${oauth}/login`, { method: 'POST', body: new URLSearchParams({ grant_type: 'password', client_id: 'sample-app',
    username: login, password: 'callisto', scope: 'session-type:Analyst' }) });
  return (await answer.json()).access_token;
}

// At a page of that url, once it is drawn: until then the former one stands below the new url.
export async function arrive(page, url) {
  await page.waitForURL(url);
  await page.waitForFunction(() => !document.querySelector('main[aria-busy]'));
}

export async function shoot(page, name) {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `workbench-${name}.png`) });
}

export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

// Answers of the server that a page is shown as a sentence stand in the console as well; all else there is a fault.
export const without = (faults, pattern) => faults.filter((text) => !pattern.test(text));
export const notSignedIn = /status of 401/;
const told = /status of 4\d\d/;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// Violations of WCAG 2.2 A and AA. In a world of its own, where the page's policy is not axe's.
export async function violations(page, within = 'html') {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const run = `${axe}; axe.run(${JSON.stringify(within)}, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
    .then((found) => JSON.stringify(found.violations.map((each) => [each.id, each.nodes.map((node) => node.html.slice(0, 160) + ' ' + (node.any[0]?.message ?? ''))])))`;
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', { contextId: executionContextId, expression: run, awaitPromise: true });
  await session.detach();
  assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
  return JSON.parse(result.value);
}

// Of a page, in both schemes and at both widths: it fits and nobody complains. It is accessible, tried wide in the light
// and narrow in the dark: colours hang on the one, sizes on the other.
export async function judge(page, faults, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    for (const [size, { viewport }] of [['', desktop], ['-phone', phone]]) {
      await page.setViewportSize(viewport);
      await page.evaluate(() => scrollTo(0, 0));
      assert.equal(await overflow(page), 0, `${name}${size} ${colorScheme} is wider than the screen`);
      await shoot(page, `${name}${size}${colorScheme === 'dark' ? '-dark' : ''}`);
      if ((size === '') === (colorScheme === 'light')) assert.deepEqual(await violations(page), [], `${name}${size} ${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(desktop.viewport);
  assert.deepEqual(without(faults, told), [], name);
}
