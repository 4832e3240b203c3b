// openid-client: discovery, code flow with PKCE, the password grant, refresh, revocation, client credentials.
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { after, before, test } from 'node:test';
import { isLive, signInByForm, startServer } from '../support/server.mjs';

globalThis.crypto ??= webcrypto;  // Node 18 has it behind a flag
const client = await import('openid-client');
const redirectUri = 'http://127.0.0.1:8765/callback';
const scope = 'session-type:Analyst';

let server;
before(async () => { server = await startServer(); });
after(() => server?.stop());

const discover = (id, secret, authentication) => client.discovery(new URL(server.url), id, secret, authentication,
  { algorithm: 'oauth2', execute: [client.allowInsecureRequests] });

async function checkLife(config, tokens) {
  assert.equal(tokens.scope, scope);
  assert.equal(tokens.expiresIn() > 590, true);
  assert.equal(await isLive(server, tokens.access_token), true);
  const next = await client.refreshTokenGrant(config, tokens.refresh_token);
  await client.tokenRevocation(config, next.refresh_token);
  assert.equal(await isLive(server, next.access_token), false);
  await assert.rejects(client.refreshTokenGrant(config, next.refresh_token), { status: 401 });
}

test('openid-client: a person signs in at the login page, refreshes and signs out', async () => {
  const config = await discover('sample-app', undefined, client.None());
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, { redirect_uri: redirectUri, scope, state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' });
  const back = await signInByForm(url, 'analyst', 'callisto');
  await checkLife(config, await client.authorizationCodeGrant(config, back,
                                                              { pkceCodeVerifier: verifier, expectedState: state }));
});

test('openid-client: the password grant', async () => {
  const config = await discover('sample-app', undefined, client.None());
  const grant = (password) => client.genericGrantRequest(config, 'password', { username: 'analyst', password, scope });
  await checkLife(config, await grant('callisto'));
  await assert.rejects(grant('wrong'), { error: 'invalid_grant' });
});

test('openid-client: a service signs in with its secret', async () => {
  const config = await discover('sample-service', 'sample-secret');
  const tokens = await client.clientCredentialsGrant(config, { scope: 'session-type:User' });
  assert.equal(await isLive(server, tokens.access_token), true);
  await assert.rejects(client.clientCredentialsGrant(config, { scope }), { error: 'invalid_scope' });
});
