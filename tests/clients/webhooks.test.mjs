// Webhooks as receivers see them: the libraries of Standard Webhooks, Svix and GitHub verify what the server sends, the
// guide's own checks do, and so does the sample receiver.
import { verify as verifyHub } from '@octokit/webhooks-methods';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { on, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { oauth, startServer } from '../support/server.mjs';

const { verify } = await import(pathToFileURL('samples/receiver/verify.mjs'));

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const key = Buffer.from(secret.slice(6), 'base64');
const vector = {
  body: '{"test": 2432232314}', now: 1614265330,
  headers: { 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp': '1614265330',
             'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' },
};

function signed(body, id = 'msg_1', timestamp = Math.floor(Date.now() / 1000)) {
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

// What must not pass: [name, secret, headers, body, seconds of the clock].
const good = vector.headers;
const forged = [
  ['another body', secret, good, '{"test": 2432232315}', vector.now],
  ['another secret', 'whsec_AAAA', good, vector.body, vector.now],
  ['another id', secret, { ...good, 'webhook-id': 'msg_2' }, vector.body, vector.now],
  ['another time', secret, { ...good, 'webhook-timestamp': '1614265331' }, vector.body, vector.now],
  ['an old one', secret, good, vector.body, vector.now + 301],
  ['one of the future', secret, good, vector.body, vector.now - 301],
  ['no signature', secret, { ...good, 'webhook-signature': undefined }, vector.body, vector.now],
  ['an empty signature', secret, { ...good, 'webhook-signature': 'v1,' }, vector.body, vector.now],
  ['another version', secret, { ...good, 'webhook-signature': good['webhook-signature'].replace('v1', 'v2') },
   vector.body, vector.now],
  ['no time', secret, { ...good, 'webhook-timestamp': undefined }, vector.body, vector.now],
  ['a time that is none', secret, { ...good, 'webhook-timestamp': 'now' }, vector.body, vector.now],
];
const rotated = { ...good, 'webhook-signature': `v1,AAAA ${good['webhook-signature']}` };

test('the guide shows the checks of samples/receiver', () => {
  const guide = readFileSync('webhooks/README.md', 'utf8');
  for (const [language, file] of [['js', 'verify.mjs'], ['python', 'verify.py']]) {
    const shown = guide.match(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``))[1];
    assert.equal(shown, readFileSync(`samples/receiver/${file}`, 'utf8'));
  }
});

const python = (...arguments_) => execFileSync('python3', ['-c',
  'import json, sys; sys.path.insert(0, "samples/receiver"); sys.dont_write_bytecode = True\n'
  + 'from verify import verify\n'
  + 'secret, headers, body, now = json.load(sys.stdin)\nprint(verify(secret, headers, body.encode(), now))'],
  { input: JSON.stringify(arguments_) }).toString().trim() === 'True';
const javascript = (secret_, headers, body, now) => verify(secret_, headers, Buffer.from(body), now);

for (const [language, check] of Object.entries({ javascript, python })) {
  test(`the guide's check in ${language}`, () => {
    assert.equal(check(secret, vector.headers, vector.body, vector.now), true);
    assert.equal(check(secret, rotated, vector.body, vector.now), true);
    for (const [name, ...arguments_] of forged) assert.equal(check(...arguments_), false, name);
  });
}

test('libraries agree with the hand-made signatures of this test', () => {
  const body = '{"Action":"Ping"}';
  new StandardWebhook(secret).verify(body, signed(body));
  new SvixWebhook(secret).verify(body, signed(body));
  assert.throws(() => new StandardWebhook(secret).verify(`${body} `, signed(body)));
});

async function startSample(...flags) {
  const child = spawn(process.execPath, ['samples/receiver/receiver.mjs', '--port', '0', '--secret', secret, '--json',
                                         ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  return {
    url: value.match(/listening on (\S+)/)[1],
    printed: async () => JSON.parse((await lines.next()).value),
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

test('the sample receiver verifies, fails as told, and knows duplicates', async () => {
  const sample = await startSample('--fail-first', '2', '--retry-after', '7');
  const body = '{"Action":"Ping"}';
  const send = async (headers) => {
    const answer = await fetch(sample.url, { method: 'POST', headers, body });
    const printed = await sample.printed();
    assert.equal(printed.code, answer.status);
    return [answer.status, printed.verdict, answer.headers.get('retry-after')];
  };
  try {
    assert.deepEqual(await send(signed('{}')), [401, 'not signed by the secret', '7']);
    assert.deepEqual(await send(signed(body)), [500, 'failing as told', '7']);
    assert.deepEqual(await send(signed(body)), [500, 'failing as told', '7']);
    assert.deepEqual(await send(signed(body)), [204, 'new', null]);
    assert.deepEqual(await send(signed(body)), [204, 'duplicate', null]);
    assert.deepEqual(await send(signed(body, 'msg_2')), [204, 'new', null]);
  } finally {
    assert.equal(await sample.stop(), 0);
  }
});

test('the sample receiver tells what is wrong with its options', () => {
  const run = (...flags) =>
    execFileSync(process.execPath, ['samples/receiver/receiver.mjs', ...flags], { stdio: 'pipe' });
  assert.match(run('--help').toString(), /--fail-first COUNT/);
  for (const flags of [[], ['--secret'], ['--secret', 'x', '--port', 'y'], ['--secret', 'x', '--nonsense'],
                       ['--secret', 'x', '--status', '99']])
    assert.throws(() => run(...flags), (error) => error.status === 2 && /--help/.test(error.stderr));
});

describe('real deliveries', () => {
  let server;
  let authorization;
  before(async () => {
    server = await startServer();
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'sample-app', username: 'admin',
                                       password: 'callisto', scope: 'session-type:Analyst' });
    const answer = await fetch(`${server.url}${oauth}/login`, { method: 'POST', body: form });
    authorization = `Bearer ${(await answer.json()).access_token}`;
  });
  after(() => server?.stop());

  async function api(method, path, body) {
    const answer = await fetch(`${server.url}/service.api/api/v1/${path}`, {
      method, headers: { authorization, 'content-type': 'application/json' }, body: body && JSON.stringify(body) });
    const json = await answer.json();
    assert.equal(answer.status, 200, JSON.stringify(json));
    return json;
  }

  // Keeps what arrives, and answers 200.
  async function startHook() {
    const hook = createServer(async (request, response) => {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      response.writeHead(200).end();
      hook.emit('delivery', { headers: request.headers, body: Buffer.concat(chunks).toString() });
    }).listen(0, '127.0.0.1');
    await once(hook, 'listening');
    const deliveries = on(hook, 'delivery', { signal: AbortSignal.timeout(30_000) });
    return {
      url: `http://127.0.0.1:${hook.address().port}/hook`,
      next: async () => (await deliveries.next()).value[0],
      stop: () => { hook.close(); hook.closeAllConnections(); },
    };
  }

  const libraries = {
    standardwebhooks: (secret_, { headers, body }) => new StandardWebhook(secret_).verify(body, headers),
    svix: (secret_, { headers, body }) => new SvixWebhook(secret_).verify(body, headers),
  };

  test('standardwebhooks and svix verify deliveries', async () => {
    const hook = await startHook();
    try {
      const webhook = await api('POST', 'webhook', { Name: 'Libraries', PayloadUrl: hook.url, Secret: secret,
                                                     CoreEntityType: 'Call' });
      assert.equal(webhook.Secret, '********');
      const call = await api('POST', 'incident', { ShortDescription: 'Drucker – 打印机', Description: 'x' });
      const delivery = await hook.next();
      for (const [name, check] of Object.entries(libraries)) {
        const payload = check(secret, delivery);
        assert.equal(payload.Action, 'Created', name);
        assert.equal(payload.Call.Ref, call.Ref, name);
        assert.throws(() => check(secret, { ...delivery, body: `${delivery.body} ` }), name);
      }
      assert.equal(verify(secret, delivery.headers, Buffer.from(delivery.body)), true);
      const { headers } = delivery;
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
      assert.match(headers['user-agent'], /^Callisto-Webhooks\//);
      assert.match(headers['webhook-id'], /^msg_[0-9A-Z]{26}$/);
      assert.equal(headers['callisto-event'], 'Call.Created');
      assert.equal(headers['callisto-webhook'], String(webhook.Ref));
      assert.equal(headers['callisto-attempt'], '1');
      for (const absent of ['expect', 'accept-encoding', 'callisto-redelivery'])
        assert.equal(headers[absent], undefined, absent);

      const { Secret: next } = await api('PUT', `webhook/${webhook.Ref}/rotate-secret`, {});
      assert.match(next, /^whsec_/);
      await api('PUT', `webhook/${webhook.Ref}/test`, {});
      const ping = await hook.next();
      assert.equal(ping.headers['callisto-event'], 'Ping');
      for (const [name, check] of Object.entries(libraries))
        for (const valid of [secret, next]) assert.ok(check(valid, ping), name);
      await api('DELETE', `webhook/${webhook.Ref}`);
    } finally {
      hook.stop();
    }
  });

  test('standardwebhooks and svix take the secret that a webhook was made with', async () => {
    const hook = await startHook();
    try {
      const webhook = await api('POST', 'webhook', { Name: 'Made', PayloadUrl: hook.url, CoreEntityType: 'Call' });
      await api('PUT', `webhook/${webhook.Ref}/test`, {});
      const delivery = await hook.next();
      for (const [name, check] of Object.entries(libraries)) {
        assert.equal(check(webhook.Secret, delivery).Action, 'Ping', name);
        assert.throws(() => check('a long random text here', delivery), name);
      }
      await api('DELETE', `webhook/${webhook.Ref}`);
    } finally {
      hook.stop();
    }
  });

  test('@octokit/webhooks-methods verifies deliveries signed with a plain text', async () => {
    const hook = await startHook();
    try {
      const plain = 'it is no secret: пароль';
      const webhook = await api('POST', 'webhook', { Name: 'Octokit', PayloadUrl: hook.url, Secret: plain,
                                                     CoreEntityType: 'Call' });
      await api('POST', 'incident', { ShortDescription: 'Toner', Description: 'x' });
      const { headers, body } = await hook.next();
      assert.equal(await verifyHub(plain, body, headers['x-hub-signature-256']), true);
      assert.equal(await verifyHub(plain, `${body} `, headers['x-hub-signature-256']), false);
      assert.equal(verify(plain, headers, Buffer.from(body)), true);
      await api('DELETE', `webhook/${webhook.Ref}`);
    } finally {
      hook.stop();
    }
  });
});
