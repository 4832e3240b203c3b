// A person signs in with a real browser (Debian's chromium): the page works without script, on a phone and by keyboard
// alone, keeps to its own policy, and leads back to the client with a code that buys tokens. Screenshots are left in
// SCREENSHOTS, where that is set.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { makePkce, oauth, startReceiver, startServer } from '../support/server.mjs';

let server, receiver, browser;
before(async () => {
  server = await startServer();
  receiver = await startReceiver();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
                                    args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
});
after(async () => {
  await browser?.close();
  receiver?.stop();
  await server?.stop();
});

const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };

function authorizationUrl(changes = {}) {
  const url = new URL(`${server.url}${oauth}/authorize`);
  const { challenge } = changes.pkce ?? makePkce();
  url.search = new URLSearchParams({ response_type: 'code', client_id: 'sample-app', redirect_uri: receiver.redirectUri,
    scope: 'session-type:Analyst', state: 'a state & more', code_challenge: challenge, code_challenge_method: 'S256',
    ...changes.parameters });
  return url.href;
}

// A tab of a new browser profile. `faults`: what the console or the page's policy complained of.
async function open(url, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) faults.push(message.text()); });
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(url);
  return { page, context, faults };
}

async function fill(page, username, password) {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function shoot(page, name) {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) });
}

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
const focused = (page) => page.evaluate(() => document.activeElement.id);
const atReceiver = (page) => page.waitForURL((url) => url.href.startsWith(receiver.redirectUri));

// Chromium reports a page whose status is 400 as an error of the console; everything else there is one.
const isWrongPassword = (text) => /status of 400/.test(text);

function exchange(code, verifier) {
  return fetch(`${server.url}${oauth}/login`, { method: 'POST', body: new URLSearchParams({
    grant_type: 'authorization_code', client_id: 'sample-app', code, code_verifier: verifier,
    redirect_uri: receiver.redirectUri }) });
}

test('a wrong password, then the right one, then a code that buys tokens once', async () => {
  const pkce = makePkce();
  const { page, context, faults } = await open(authorizationUrl({ pkce }), desktop);
  assert.match(await page.title(), /^Sign in/);
  await page.getByText('Sample application').waitFor();
  assert.equal(await focused(page), 'username');

  await fill(page, 'analyst', 'wrong');
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.match(await alert.innerText(), /do not match/);
  assert.equal(await page.getByLabel('User name').inputValue(), 'analyst');
  assert.equal(await page.getByLabel('Password').inputValue(), '');
  assert.equal(await focused(page), 'password');

  await fill(page, 'analyst', 'callisto');
  await atReceiver(page);
  const answer = new URL(page.url()).searchParams;
  assert.equal(answer.get('state'), 'a state & more');
  assert.equal(answer.get('iss'), server.url);
  assert.deepEqual(faults.filter((text) => !isWrongPassword(text)), []);

  const cookies = await context.cookies(server.url);
  assert.deepEqual(cookies.map(({ httpOnly, sameSite, path }) => ({ httpOnly, sameSite, path })),
                   [{ httpOnly: true, sameSite: 'Lax', path: '/' }]);

  const tokens = await exchange(answer.get('code'), pkce.verifier);
  const body = await tokens.json();
  assert.equal(tokens.status, 200, JSON.stringify(body));
  assert.equal(body.scope, 'session-type:Analyst');
  const call = await fetch(`${server.url}/service.api/api/v1/call?$top=1`,
                           { headers: { authorization: `Bearer ${body.access_token}` } });
  assert.equal(call.status, 200);
  assert.equal((await exchange(answer.get('code'), pkce.verifier)).status, 400);
  await context.close();
});

for (const [scheme, device, name] of [['light', desktop, 'desktop'], ['dark', desktop, 'desktop-dark'],
                                      ['light', phone, 'phone'], ['dark', phone, 'phone-dark']]) {
  test(`the pages fit the screen, without a complaint of the browser: ${name}`, async () => {
    const { page, context, faults } = await open(authorizationUrl(), { ...device, colorScheme: scheme });
    assert.equal(await overflow(page), 0);
    await shoot(page, name);
    assert.deepEqual(faults, []);
    await fill(page, 'analyst', 'wrong');
    await page.getByRole('alert').waitFor();
    assert.equal(await overflow(page), 0);
    await shoot(page, `${name}-wrong`);
    await page.goto(authorizationUrl({ parameters: { client_id: `nobody${'x'.repeat(100)}` } }));
    await page.getByRole('heading', { name: 'This sign-in cannot continue' }).waitFor();
    assert.equal(await overflow(page), 0);
    await shoot(page, `${name}-problem`);
    assert.deepEqual(faults.filter((text) => !isWrongPassword(text)), []);
    assert.equal(page.url().startsWith(server.url), true);
    await context.close();
  });
}

test('the keyboard alone is enough, and so is a browser without script', async () => {
  const { page, context } = await open(authorizationUrl(), { ...desktop, javaScriptEnabled: false });
  await page.locator('#username:focus').waitFor();
  await page.keyboard.type('analyst');
  await page.keyboard.press('Tab');
  await page.keyboard.type('callisto');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await atReceiver(page);
  assert.ok(new URL(page.url()).searchParams.get('code'));
  await context.close();
});

test('every field has a label, a size for fingers and colours with enough contrast', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const { page, context } = await open(authorizationUrl(), { ...phone, colorScheme });
    await fill(page, 'analyst', 'wrong');
    await page.getByRole('alert').waitFor();
    for (const field of [page.getByLabel('User name'), page.getByLabel('Password'), page.getByRole('button')])
      assert.ok((await field.boundingBox()).height >= 44);
    const poor = await page.evaluate(() => {
      const luminance = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map((text) => text / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
      const behind = (element) => {
        const colour = getComputedStyle(element).backgroundColor;
        return /, 0\)$/.test(colour) ? behind(element.parentElement) : colour;
      };
      return [...document.querySelectorAll('h1, .lead, .lead strong, .problem, label, input, button, .foot, a')]
        .map((element) => {
          const [low, high] = [getComputedStyle(element).color, behind(element)].map(luminance).sort((a, b) => a - b);
          return [element.tagName + element.className, (high + 0.05) / (low + 0.05)];
        }).filter(([, contrast]) => contrast < 4.5);
    });
    assert.deepEqual(poor, [], colorScheme);
    await context.close();
  }
});

test('one can go back without signing in', async () => {
  const { page, context } = await open(authorizationUrl(), desktop);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await atReceiver(page);
  const answer = new URL(page.url()).searchParams;
  assert.equal(answer.get('error'), 'access_denied');
  assert.equal(answer.get('state'), 'a state & more');
  await context.close();
});

test('another site cannot frame the page or send its form', async () => {
  const { page, context } = await open(receiver.redirectUri, desktop);
  const form = await fetch(authorizationUrl()).then((answer) => answer.text());
  const pending = form.match(/name="request" value="([^"]*)"/)[1].replaceAll('&amp;', '&');
  await page.evaluate(([url, action, request]) => {
    const frame = document.createElement('iframe');
    frame.src = url;
    document.body.append(frame);
    const attack = document.createElement('form');
    attack.method = 'post';
    attack.action = action;
    for (const [name, value] of Object.entries({ request, username: 'analyst', password: 'callisto' })) {
      const field = document.createElement('input');
      Object.assign(field, { name, value });
      attack.append(field);
    }
    document.body.append(attack);
  }, [authorizationUrl(), `${server.url}${oauth}/authorize`, pending]);
  await page.waitForFunction(() => frames.length === 1);
  assert.equal(await page.frames()[1].locator('form').count(), 0);
  const before = receiver.urls.length;
  await Promise.all([page.waitForNavigation(), page.evaluate(() => document.querySelector('form').submit())]);
  await page.getByText('This page is out of date').waitFor();
  assert.equal(receiver.urls.length, before);
  await context.close();
});
