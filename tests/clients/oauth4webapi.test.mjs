// oauth4webapi: discovery, code flow with PKCE, refresh, revocation, client credentials.
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { after, before, test } from 'node:test';
import { isLive, signInByForm, startServer } from '../support/server.mjs';

globalThis.crypto ??= webcrypto;  // Node 18 has it behind a flag
const oauth = await import('oauth4webapi');
const insecure = { [oauth.allowInsecureRequests]: true };  // plain http, on loopback
const redirectUri = 'http://127.0.0.1:8765/callback';
const scope = 'session-type:Analyst';

let server, as;
before(async () => {
  server = await startServer();
  const issuer = new URL(server.url);
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  as = await oauth.processDiscoveryResponse(issuer, found);
});
after(() => server?.stop());

test('oauth4webapi: a person signs in, stays signed in by refreshing, and is gone after revocation', async () => {
  const client = { client_id: 'sample-app' };
  const none = oauth.None();
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(as.authorization_endpoint);
  url.search = new URLSearchParams({ response_type: 'code', client_id: client.client_id, redirect_uri: redirectUri, scope,
    state, code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' });
  const back = oauth.validateAuthResponse(as, client, await signInByForm(url, 'analyst', 'callisto'), state);
  const answer = await oauth.authorizationCodeGrantRequest(as, client, none, back, redirectUri, verifier, insecure);
  const first = await oauth.processAuthorizationCodeResponse(as, client, answer);
  assert.equal(first.token_type, 'bearer');
  assert.equal(first.scope, scope);
  assert.equal(await isLive(server, first.access_token), true);

  const refresh = (token) => oauth.refreshTokenGrantRequest(as, client, none, token, insecure);
  const second = await oauth.processRefreshTokenResponse(as, client, await refresh(first.refresh_token));
  assert.notEqual(second.refresh_token, first.refresh_token);

  const revoked = await oauth.revocationRequest(as, client, none, second.refresh_token, insecure);
  await oauth.processRevocationResponse(revoked);
  assert.equal(await isLive(server, second.access_token), false);
  await assert.rejects(async () =>
    oauth.processRefreshTokenResponse(as, client, await refresh(second.refresh_token)), { status: 401 });
});

test('oauth4webapi: a refused sign-in comes back as an error of the protocol', async () => {
  const client = { client_id: 'sample-app' };
  const url = new URL(as.authorization_endpoint);
  url.search = new URLSearchParams({ response_type: 'code', client_id: client.client_id, redirect_uri: redirectUri,
    scope: 'everything', state: 's', code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' });
  const answer = await fetch(url, { redirect: 'manual' });
  assert.throws(() => oauth.validateAuthResponse(as, client, new URL(answer.headers.get('location')), 's'),
                { error: 'invalid_scope' });
});

for (const method of ['ClientSecretPost', 'ClientSecretBasic']) {
  test(`oauth4webapi: a service signs in with its secret: ${method}`, async () => {
    const client = { client_id: 'sample-service' };
    const grant = (secret) => oauth.clientCredentialsGrantRequest(as, client, oauth[method](secret),
                                                                  { scope: 'session-type:User' }, insecure);
    const tokens = await oauth.processClientCredentialsResponse(as, client, await grant('sample-secret'));
    assert.equal(await isLive(server, tokens.access_token), true);
    await assert.rejects(async () => oauth.processClientCredentialsResponse(as, client, await grant('wrong')));
  });
}
