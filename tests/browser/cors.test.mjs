// A page of another origin signs in and uses the API in a real browser (Debian's chromium), which asks before it sends a
// token; a page that http.cors_origins does not name gets nothing, not even to see that there was an answer.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { oauth, startReceiver, startServer } from '../support/server.mjs';

let server, named, unnamed, browser;
before(async () => {
  named = await startReceiver();
  unnamed = await startReceiver();
  server = await startServer(`http.cors_origins=${new URL(named.redirectUri).origin}`);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
                                    args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
});
after(async () => {
  await browser?.close();
  named?.stop();
  unnamed?.stop();
  await server?.stop();
});

async function open(receiver) {
  const page = await browser.newPage();
  await page.goto(receiver.redirectUri);
  return page;
}

// What a program in the page sees of a request: the status and headers, or the error that hides all of it.
const ask = (page, path, options = {}) => page.evaluate(async ([url, wanted]) => {
  try {
    const answer = await fetch(url, wanted);
    return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
  } catch (error) { return { error: String(error) }; }
}, [`${server.url}${path}`, options]);

const signIn = (page) => ask(page, `${oauth}/login`, { method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: 'grant_type=password&client_id=sample-app&username=analyst&password=callisto&scope=session-type:Analyst' });

test('a page of a named origin signs in, writes, reads with an ETag and sees why it was refused', async () => {
  const page = await open(named);
  const signedIn = await signIn(page);
  assert.equal(signedIn.status, 200);
  const headers = { Authorization: `Bearer ${JSON.parse(signedIn.text).access_token}`, 'Content-Type': 'application/json' };
  const made = await ask(page, '/service.api/api/v1/call', { method: 'POST', headers, body: '{"ShortDescription": "Ink"}' });
  assert.equal(made.status, 200);
  assert.match(made.headers.location, /\/service\.api\/api\/v1\/call\/\d+$/);
  assert.ok(made.headers['x-request-id']);
  const read = await ask(page, made.headers.location, { headers });
  assert.equal(JSON.parse(read.text).ShortDescription, 'Ink');
  const changed = await ask(page, made.headers.location, { method: 'PUT', headers: { ...headers, 'If-Match': read.headers.etag },
    body: '{"ShortDescription": "Paper"}' });
  assert.equal(changed.status, 200);
  const late = await ask(page, made.headers.location, { method: 'PUT', headers: { ...headers, 'If-Match': read.headers.etag },
    body: '{"ShortDescription": "Toner"}' });
  assert.ok(late.status >= 400);
  assert.match(JSON.parse(late.text).Message, /If-Match/);
  const nobody = await ask(page, '/service.api/api/v1/call');
  assert.equal(nobody.status, 401);
  assert.match(nobody.headers['www-authenticate'], /^Bearer/);
  const documents = await ask(page, '/.well-known/oauth-authorization-server');
  assert.equal(JSON.parse(documents.text).issuer, server.url);
});

test('answers that travel compressed reach the page whole', async () => {
  const page = await open(named);
  const headers = { Authorization: `Bearer ${JSON.parse((await signIn(page)).text).access_token}` };
  const sizes = await page.evaluate(async ([url, wanted]) => {
    const text = await (await fetch(url, { headers: wanted })).text();
    return { length: text.length, openapi: JSON.parse(text).openapi };
  }, [`${server.url}/service.api/api/v1/openapi.json`, headers]);
  assert.equal(sizes.openapi, '3.1.0');
  assert.ok(sizes.length > 10000);
});

test('a page of another origin sees nothing, with a token or without one, and nobody sees the sign-in page', async () => {
  const page = await open(unnamed);
  for (const [path, options] of [
    [`${oauth}/login`, { method: 'POST', body: new URLSearchParams({ grant_type: 'password' }).toString(),
                         headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
    ['/service.api/api/v1/call', {}],
    ['/service.api/api/v1/call', { headers: { Authorization: 'Bearer abc' } }],
    ['/.well-known/oauth-authorization-server', {}]])
    assert.match((await ask(page, path, options)).error, /Failed to fetch/, path);
  const friend = await open(named);
  assert.match((await ask(friend, `${oauth}/authorize?client_id=sample-app`)).error, /Failed to fetch/);
  assert.match((await ask(friend, `${oauth}/login`, { method: 'POST', credentials: 'include' })).error, /Failed to fetch/);
});
