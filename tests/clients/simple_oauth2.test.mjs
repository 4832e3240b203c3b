// simple-oauth2: code flow, the password grant, refresh, revocation, client credentials; the client in HTTP Basic or,
// with an empty secret, in the body.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AuthorizationCode, ClientCredentials, ResourceOwnerPassword } from 'simple-oauth2';
import { isLive, makePkce, oauth, signInByForm, startServer } from '../support/server.mjs';

const redirectUri = 'http://127.0.0.1:8765/callback';
const scope = 'session-type:Analyst';

let server;
before(async () => { server = await startServer(); });
after(() => server?.stop());

const configuration = (id, secret, authorizationMethod, more = {}) => ({
  client: { id, secret },
  auth: { tokenHost: server.url, tokenPath: `${oauth}/login`, refreshPath: `${oauth}/login`,
          revokePath: `${oauth}/revoke`, ...more },
  options: { authorizationMethod },
});

async function checkLife(tokens) {
  assert.equal(tokens.token.scope, scope);
  assert.equal(tokens.expired(), false);
  assert.equal(await isLive(server, tokens.token.access_token), true);
  const next = await tokens.refresh();
  assert.equal(await isLive(server, next.token.access_token), true);
  await next.revoke('refresh_token');
  assert.equal(await isLive(server, next.token.access_token), false);
  await assert.rejects(next.refresh(), (error) => error.output.statusCode === 401);
}

for (const method of ['body', 'header']) {
  test(`simple-oauth2: a person signs in at the login page, refreshes and signs out: client in the ${method}`, async () => {
    const app = new AuthorizationCode(configuration('sample-app', '', method,
                                                    { authorizePath: `${oauth}/authorize` }));
    const pkce = makePkce();
    const url = app.authorizeURL({ redirect_uri: redirectUri, scope, state: 's', code_challenge: pkce.challenge,
                                   code_challenge_method: 'S256' });
    const back = await signInByForm(url, 'analyst', 'callisto');
    assert.equal(back.searchParams.get('state'), 's');
    await checkLife(await app.getToken({ code: back.searchParams.get('code'), redirect_uri: redirectUri,
                                         code_verifier: pkce.verifier }));
  });

  test(`simple-oauth2: the password grant: client in the ${method}`, async () => {
    const app = new ResourceOwnerPassword(configuration('sample-app', '', method));
    await checkLife(await app.getToken({ username: 'analyst', password: 'callisto', scope }));
    await assert.rejects(app.getToken({ username: 'analyst', password: 'wrong', scope }),
                         (error) => error.output.statusCode === 400 && error.data.payload.error === 'invalid_grant');
  });

  test(`simple-oauth2: a service signs in with its secret: client in the ${method}`, async () => {
    const app = new ClientCredentials(configuration('sample-service', 'sample-secret', method));
    const tokens = await app.getToken({ scope: 'session-type:User' });
    assert.equal(await isLive(server, tokens.token.access_token), true);
  });
}
