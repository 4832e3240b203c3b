// The OpenAPI document that the server hands out, by the tools that people use on it: redocly and spectral find no error,
// and what openapi-typescript makes of it compiles.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { oauth, startServer } from '../support/server.mjs';

const run = promisify(execFile);
const modules = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules');
const api = '/service.api/api';
const program = process.env.CALLISTO_PROGRAM ?? 'build/callisto';

let server, folder, text;

// A tool of node_modules, run in the folder with the document.
async function tool(name, ...args) {
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  return run(join(modules, '.bin', name), args, { cwd: folder, env: environment, maxBuffer: 64 * 1024 * 1024 })
    .catch((error) => assert.fail(`${name}: ${error.stdout}\n${error.stderr}`));
}

async function signIn() {
  const form = { client_id: 'sample-app', grant_type: 'password', username: 'analyst', password: 'callisto',
                 scope: 'session-type:Analyst' };
  const answer = await fetch(`${server.url}${oauth}/login`, { method: 'POST', body: new URLSearchParams(form) });
  return (await answer.json()).access_token;
}

before(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), 'callisto-openapi-'));
  const headers = { Authorization: `Bearer ${await signIn()}` };
  const answer = await fetch(`${server.url}${api}/openapi.json`, { headers });
  assert.equal(answer.status, 200);
  text = await answer.text();
  writeFileSync(join(folder, 'openapi.json'), text);
  const again = await fetch(`${server.url}${api}/openapi.json`,
                            { headers: { ...headers, 'If-None-Match': answer.headers.get('etag') } });
  assert.equal(again.status, 304);
  assert.equal((await fetch(`${server.url}${api}/openapi.json`)).status, 401);
});
after(async () => {
  rmSync(folder, { recursive: true });
  await server?.stop();
});

test('the command prints what the server answers', async () => {
  const { stdout } = await run(program, ['openapi'], { maxBuffer: 64 * 1024 * 1024 });
  assert.equal(stdout, `${text}\n`);
});

test('a file is a part of a form, and answers its record', () => {
  const { post } = JSON.parse(text).paths['/call/{id}/attachment'];
  const { properties } = post.requestBody.content['multipart/form-data'].schema;
  assert.deepEqual(properties.file, { type: 'string', format: 'binary' });
  assert.match(post.responses[200].content['application/json'].schema.$ref, /Attachment$/);
});

// Side by side: each takes seconds.
test('tools accept it', { concurrency: true }, async (t) => {
  await Promise.all([
    t.test('redocly finds nothing, nor in the 3.0 form', async () => {
      const { stdout } = await run(program, ['openapi', '--version', '3.0'], { maxBuffer: 64 * 1024 * 1024 });
      writeFileSync(join(folder, 'openapi-3.0.json'), stdout);
      const { stderr } = await tool('redocly', 'lint', 'openapi.json', 'openapi-3.0.json', '--max-problems=20');
      assert.doesNotMatch(stderr, /have \d+ warning/);
    }),
    t.test('spectral finds no error', async () => {
      writeFileSync(join(folder, '.spectral.yaml'), 'extends: ["spectral:oas"]\n');
      await tool('spectral', 'lint', 'openapi.json', '--ruleset', '.spectral.yaml', '--fail-severity', 'error', '--quiet');
    }),
    t.test('types for TypeScript compile, and know what a call and an action are', async () => {
      await tool('openapi-typescript', 'openapi.json', '-o', 'desk.d.ts');
      writeFileSync(join(folder, 'use.ts'), `
        import type { components, paths, webhooks } from './desk.d.ts';
        const call: components['schemas']['Incident'] = { _self: '', _context: '', Ref: 7, MajorIncident: true };
        const page: paths['/call']['get']['responses'][200]['content']['application/json'] = { results: [call], _self: '' };
        const body: components['schemas']['CallResolveInput'] = { Description: 'Done.' };
        // @ts-expect-error: no text
        const key: number | null | undefined = call.ShortDescription;
        // @ts-expect-error: Description is mandatory
        const wrong: components['schemas']['CallResolveInput'] = {};
        const told: webhooks['Call']['post']['requestBody']['content']['application/json'] = { Action: 'Closed', Call: call };
        export { page, body, key, wrong, told };
      `);
      await tool('tsc', '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--moduleResolution',
                 'nodenext', 'use.ts');
    }),
  ]);
});
