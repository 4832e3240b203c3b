// A small OpenID Connect provider on loopback for tests in Node: whoever comes is signed in at once, as `claims` says. Knobs
// are turned between sign-ins: the claims of the ID token, those of userinfo, the algorithm and with it the key.
import { constants, createHash, generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const pss = (size) => ({ padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: size });
const algorithms = {
  RS256: [rsa, 'sha256', {}], RS512: [rsa, 'sha512', {}], PS256: [rsa, 'sha256', pss(32)], PS384: [rsa, 'sha384', pss(48)],
  ES256: [() => generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sha256', { dsaEncoding: 'ieee-p1363' }],
  ES384: [() => generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'sha384', { dsaEncoding: 'ieee-p1363' }],
  EdDSA: [() => generateKeyPairSync('ed25519'), null, {}],
};
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

export async function startIdentityProvider() {
  const idp = { claims: {}, userInfo: null, signer: 'RS256', grants: new Map(), keys: new Map(), userInfoAsked: 0 };
  const key = (name) => {
    if (!idp.keys.has(name)) idp.keys.set(name, algorithms[name][0]());
    return idp.keys.get(name);
  };
  const jwks = () => ({ keys: [...idp.keys].map(([name, { publicKey }]) => (
    { ...publicKey.export({ format: 'jwk' }), kid: `key-${name}`, use: 'sig', alg: name })) });

  function signed(payload) {
    const [, digest, options] = algorithms[idp.signer];
    const text = `${encoded({ alg: idp.signer, kid: `key-${idp.signer}`, typ: 'JWT' })}.${encoded(payload)}`;
    const signature = sign(digest, Buffer.from(text), { key: key(idp.signer).privateKey, ...options });
    return `${text}.${signature.toString('base64url')}`;
  }

  function redeem(form) {
    const grant = idp.grants.get(form.get('code'));
    idp.grants.delete(form.get('code'));
    const challenge = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url');
    if (!grant || grant.challenge !== challenge) return { error: 'invalid_grant' };
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: idp.issuer, aud: 'desk', iat: now, exp: now + 300, nonce: grant.nonce, ...idp.claims };
    return { token_type: 'Bearer', access_token: 'access', id_token: signed(claims) };
  }

  const answers = {
    '/.well-known/openid-configuration': () => ({
      issuer: idp.issuer, authorization_endpoint: `${idp.issuer}/authorize`, token_endpoint: `${idp.issuer}/token`,
      jwks_uri: `${idp.issuer}/keys`, userinfo_endpoint: `${idp.issuer}/userinfo`, response_types_supported: ['code'],
      id_token_signing_alg_values_supported: Object.keys(algorithms) }),
    '/keys': jwks,
    '/token': redeem,
    '/userinfo': () => { idp.userInfoAsked += 1; return idp.userInfo ?? { sub: idp.claims.sub }; },
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url, idp.issuer);
    if (url.pathname === '/authorize') {
      const code = `code-${idp.grants.size}-${Math.random()}`;
      idp.grants.set(code, { nonce: url.searchParams.get('nonce'), challenge: url.searchParams.get('code_challenge') });
      const back = new URL(url.searchParams.get('redirect_uri'));
      back.search = new URLSearchParams({ code, state: url.searchParams.get('state') });
      return response.writeHead(303, { location: back.href }).end();
    }
    let body = '';
    for await (const part of request) body += part;
    const answer = answers[url.pathname]?.(new URLSearchParams(body));
    response.writeHead(answer ? (answer.error ? 400 : 200) : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  idp.issuer = `http://127.0.0.1:${server.address().port}`;
  idp.use = (name) => { idp.signer = name; key(name); };
  idp.algorithms = Object.keys(algorithms);
  idp.use('RS256');
  idp.stop = () => { server.close(); server.closeAllConnections(); };
  return idp;
}
