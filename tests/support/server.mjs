// A running server with the sample desk for tests in Node: its own process, port 0, a temporary data folder. And a
// receiver on loopback for what browsers are sent back with. Started below the repository's root.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export const oauth = '/service.web/oauth';

export async function startServer(...settings) {
  const data = mkdtempSync(join(tmpdir(), 'callisto-node-'));
  const flags = settings.flatMap((setting) => ['--set', setting]);
  const child = spawn(process.env.CALLISTO_PROGRAM ?? 'build/callisto',
    ['serve', '--listen', '127.0.0.1:0', '--data', data, '--samples', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stderr.on('data', (bytes) => { log += bytes; });
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const address = line.match(/listening on (\S+)/);
      if (address) resolve(address[1]);
    });
    child.once('exit', () => reject(new Error(`the server did not start: ${log}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(data, { recursive: true });
  };
  return { url, pid: child.pid, stop };
}

// Answers every request with a small page and keeps the urls it was asked for.
export async function startReceiver() {
  const urls = [];
  const server = createServer((request, response) => {
    urls.push(new URL(request.url, `http://${request.headers.host}`));
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end('<!doctype html><html lang="en"><title>Back</title><link rel="icon" href="data:,"><p>back</p>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUri = `http://127.0.0.1:${server.address().port}/callback`;
  return { urls, redirectUri, stop: () => { server.close(); server.closeAllConnections(); } };
}

export function makePkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

// What a browser without a screen does on the login page: the url that it is sent to in the end.
export async function signInByForm(authorizationUrl, username, password) {
  const page = await fetch(authorizationUrl, { redirect: 'manual' });
  const html = await page.text();
  const pending = html.match(/name="request" value="([^"]*)"/)?.[1].replaceAll('&amp;', '&');
  if (!pending) throw new Error(`no login page: ${page.status} ${page.headers.get('location')} ${html}`);
  const form = new URLSearchParams({ request: pending, username, password });
  const cookie = page.headers.get('set-cookie').split(';')[0];
  const action = new URL(html.match(/action="([^"]*)"/)[1], authorizationUrl);
  const answer = await fetch(action, { method: 'POST', body: form, headers: { cookie }, redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`no redirect: ${answer.status} ${await answer.text()}`);
  return new URL(answer.headers.get('location'));
}

// Whether the API takes an access token: 401 is the answer to a dead one, whatever else may be wrong.
export async function isLive(server, accessToken) {
  const answer = await fetch(`${server.url}/service.api/api/v1`, { headers: { authorization: `Bearer ${accessToken}` } });
  await answer.arrayBuffer();
  return answer.status !== 401;
}
