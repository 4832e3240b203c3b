// Signing in by an identity provider, with samples/sign-in deciding who is whom: from the button to the API.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startIdentityProvider } from '../support/identity_provider.mjs';
import { makePkce, oauth, startServer } from '../support/server.mjs';
import { request } from 'node:http';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const home = process.env.CALLISTO_SOURCE ?? '.';
const published = 'http://127.0.0.1:9';  // what a proxy would publish the server at
const redirectUri = 'http://127.0.0.1:8765/callback';

let idp, server, scripts;
before(async () => {
  scripts = mkdtempSync(join(tmpdir(), 'callisto-scripts-'));
  cpSync(join(home, 'samples/sign-in/scripts'), scripts, { recursive: true });
  idp = await startIdentityProvider();
  server = await startServer(`oidc.issuer=${idp.issuer}`, 'oidc.client_id=desk', `base_url=${published}`,
    `scripts=${join(home, 'scripts')},${scripts}`, 'oauth.attempts_per_minute=100000');
});
after(async () => {
  await server?.stop();
  idp?.stop();
  rmSync(scripts, { recursive: true });
});

// A request for what the server is published at.
function ask(url, { method = 'GET', headers = {}, body } = {}) {
  const target = new URL(new URL(url, published).href.replace(published, server.url));
  return new Promise((resolve, reject) => {
    const sent = request(target, { method, headers: { host: new URL(published).host, ...headers } }, (answer) => {
      let text = '';
      answer.on('data', (bytes) => { text += bytes; });
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body?.toString());
  });
}

// The answer at the client's redirect_uri: a code, or an error with its description.
async function goThere(verifier, scope) {
  const query = new URLSearchParams({ response_type: 'code', client_id: 'sample-app', redirect_uri: redirectUri, scope,
    state: 's', code_challenge: verifier.challenge, code_challenge_method: 'S256', idp: 'oidc' });
  const away = await ask(`${oauth}/authorize?${query}`);
  assert.equal(away.status, 303, away.text);
  if (away.headers.location.startsWith(redirectUri)) return new URL(away.headers.location).searchParams;
  const back = await fetch(away.headers.location, { redirect: 'manual' });
  const cookie = away.headers['set-cookie'][0].split(';')[0];
  const answer = await ask(back.headers.get('location'), { headers: { cookie } });
  assert.equal(answer.status, 303, answer.text);
  return new URL(answer.headers.location).searchParams;
}

async function signIn(scope = 'session-type:User') {
  const verifier = makePkce();
  const answer = await goThere(verifier, scope);
  if (answer.has('error')) return { refused: answer.get('error_description'), error: answer.get('error') };
  const form = new URLSearchParams({ grant_type: 'authorization_code', client_id: 'sample-app', redirect_uri: redirectUri,
    code: answer.get('code'), code_verifier: verifier.verifier });
  const told = await ask(`${oauth}/login`, { method: 'POST', body: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  assert.equal(told.status, 200, told.text);
  return { token: JSON.parse(told.text).access_token };
}

async function api(token, path, options = {}) {
  const answer = await ask(`/service.api/api/v1/${path}`, { ...options, headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: JSON.parse(answer.text) };
}

async function me(token) {
  const found = await api(token, 'person?$filter=Ref%20%3D%3D%20%40UserId&$select=Ref,Name,Email,LoginId');
  return found.body.results[0];
}

const staff = (login, more = {}) => ({ sub: `${login}-7`, preferred_username: login, family_name: 'Lovelace',
  email: `${login}@example.org`, given_name: 'Ada', groups: ['staff'], realm_access: {}, ...more });

test('a first sign-in makes the person, who works at the desk as long as the provider says so', async () => {
  idp.claims = staff('ada', { groups: ['staff', 'desk'] });
  const analyst = await signIn('session-type:Analyst');
  assert.ok(analyst.token, analyst.refused);
  assert.equal((await api(analyst.token, 'call?$top=1')).status, 200);
  const person = await me(analyst.token);
  assert.equal(person.Name, 'Ada Lovelace');
  assert.equal(person.LoginId, 'ADA');

  idp.claims = staff('ada');
  assert.equal((await signIn('session-type:Analyst')).error, 'access_denied');
  const user = await signIn();
  assert.equal((await me(user.token)).Ref, person.Ref);
  assert.equal((await api(analyst.token, 'call?$top=1')).status, 401, 'the session that rested on the role has ended');
});

test('who is refused reads the sentence of the script', async () => {
  idp.claims = staff('eve', { groups: ['guests'] });
  const { error, refused } = await signIn();
  assert.equal(error, 'access_denied');
  assert.equal(refused, 'Ask the service desk for an account: you are not in the group staff.');
});

test('claims that the ID token lacks come from userinfo, and only then is it asked', async () => {
  const { sub, ...profile } = staff('grace', { groups: ['staff'] });
  idp.claims = staff('grace');
  const before = idp.userInfoAsked;
  assert.ok((await signIn()).token);
  assert.equal(idp.userInfoAsked, before);
  idp.claims = { sub };
  idp.userInfo = { sub, ...profile, email: 'grace@userinfo.example' };
  const { token, refused } = await signIn();
  assert.ok(token, refused);
  assert.equal((await me(token)).Email, 'grace@userinfo.example');
  assert.equal(idp.userInfoAsked, before + 1);
});

test("userinfo of another subject is refused, and an endpoint that fails takes nobody's roles", async () => {
  idp.claims = { ...staff('joan'), groups: undefined };
  idp.userInfo = { sub: 'somebody else', groups: ['staff', 'desk'] };
  assert.equal((await signIn()).error, 'access_denied');
  idp.userInfo = { error: 'out of order' };
  assert.equal((await signIn()).error, 'temporarily_unavailable');
  idp.userInfo = null;
});

test('groups that the provider keeps back refuse the sign-in', async () => {
  idp.claims = { ...staff('katherine'), groups: undefined, _claim_names: { groups: 'src1' },
    _claim_sources: { src1: { endpoint: 'https://graph.example/users/7/getMemberObjects' } } };
  assert.equal((await signIn()).error, 'access_denied');
});

test('every algorithm signs, and its key is found when the provider goes over to it', async () => {
  idp.claims = staff('ada');
  for (const name of idp.algorithms) idp.use(name);
  // Unknown keys are asked for once a minute; a second server asks at once.
  const second = await startServer(`oidc.issuer=${idp.issuer}`, 'oidc.client_id=desk', `base_url=${published}`,
    'oidc.login_claim=preferred_username', 'oauth.attempts_per_minute=100000');
  const first = server;
  server = second;
  try {
    idp.claims = staff('user');
    for (const name of idp.algorithms) {
      idp.use(name);
      const { token, refused } = await signIn();
      assert.ok(token, `${name}: ${refused}`);
    }
  } finally {
    server = first;
    await second.stop();
    idp.use('RS256');
  }
});

test('a script that fails lets nobody in, and its mended text counts after a reload', async () => {
  const file = join(scripts, 'sign-in.lua');
  const good = readFileSync(file, 'utf8');
  const reload = () => process.kill(server.pid, 'SIGHUP');
  const until = async (holds) => {
    for (let tries = 0; tries < 200; ++tries) {
      const answer = await signIn();
      if (holds(answer)) return answer;
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
    throw new Error('the reload did not count');
  };
  idp.claims = staff('ada');
  writeFileSync(file, good.replace('local groups', 'local none = claims.family_name.nothing.at_all\n    local groups'));
  reload();
  const broken = await until((answer) => !answer.token);
  assert.equal(broken.error, 'access_denied');
  assert.match(broken.refused, /Tell your administrator/);
  writeFileSync(file, good);
  reload();
  assert.ok((await until((answer) => answer.token)).token);
});
