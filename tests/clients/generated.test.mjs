// Clients that generators make of the OpenAPI document: they compile as they come, and sign in, search, count, create, are
// refused, meet a conflict, act, upload and download. What each does stands in generated/.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { startServer } from '../support/server.mjs';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, '..', 'node_modules');
const program = resolve(process.env.CALLISTO_PROGRAM ?? 'build/callisto');
const python = resolve(process.env.CALLISTO_PYTHON_CLIENTS ?? 'build/pip', 'bin');

let server, folder, environment;

async function command(file, ...args) {
  return run(file, args, { cwd: folder, env: environment, maxBuffer: 64 * 1024 * 1024 })
    .catch((error) => assert.fail(`${file} ${args.join(' ')}: ${error.stdout.slice(-6000)}\n${error.stderr.slice(-6000)}`));
}
const tool = (name, ...args) => command(join(modules, '.bin', name), ...args);

async function roundTrip(name) {
  await tool('tsc', '--strict', '--skipLibCheck', '--types', 'node', '--target', 'es2022', '--module', 'nodenext',
             '--moduleResolution', 'nodenext', '--outDir', `made-${name}`, '--rootDir', '.', `${name}.ts`);
  await command(process.execPath, `made-${name}/${name}.js`);
}

before(async () => {
  server = await startServer();
  folder = mkdtempSync(join(here, '..', 'generated-'));  // where the packages are found
  cpSync(join(here, 'generated'), folder, { recursive: true });
  environment = { ...process.env, DESK: `${server.url}/service.api/api/v1`, CI: 'true', DO_NOT_TRACK: '1' };
  const { stdout } = await run(program, ['openapi'], { maxBuffer: 64 * 1024 * 1024 });
  writeFileSync(join(folder, 'openapi.json'), stdout);
});
after(async () => {
  rmSync(folder, { recursive: true });
  await server?.stop();
});

test('openapi-typescript and openapi-fetch', async () => {
  await tool('openapi-typescript', 'openapi.json', '-o', 'openapi-typescript.d.ts');
  await roundTrip('openapi_fetch');
});

test('@hey-api/openapi-ts', async () => {
  await tool('openapi-ts', '-f', 'hey_api.config.mjs');
  await roundTrip('hey_api');
});

test('orval', async () => {
  await tool('orval', '--config', 'orval.config.cjs');
  await roundTrip('orval');
});

test('openapi-python-client', { skip: !existsSync(join(python, 'openapi-python-client')) && 'it is not installed' },
     async () => {
  mkdirSync(join(folder, 'python'));
  writeFileSync(join(folder, 'python.yml'), 'project_name_override: desk\npackage_name_override: desk\npost_hooks: []\n');
  await command(join(python, 'openapi-python-client'), 'generate', '--path', 'openapi.json', '--meta', 'none',
                '--config', 'python.yml', '--output-path', 'python/desk', '--fail-on-warning');
  await command(join(python, 'python'), '-m', 'compileall', '-q', 'python');
  const { stdout } = await command(join(python, 'python'), 'round_trip.py', 'python', environment.DESK);
  assert.match(stdout, /done/);
});
