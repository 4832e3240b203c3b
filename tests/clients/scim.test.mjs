// SCIM 2.0 as Okta, Entra ID and others speak it (RFC 7643, 7644), each with its own dialect.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { oauth, startServer } from '../support/server.mjs';

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:User';
const coreGroup = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let server, admin, token;

async function signIn(form) {
  const answer = await fetch(`${server.url}${oauth}/login`, { method: 'POST', body: new URLSearchParams(form) });
  const told = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(told));
  return told.access_token;
}
const byPassword = (username, type) => signIn({ client_id: 'sample-app', grant_type: 'password', username,
  password: 'callisto', scope: `session-type:${type}` });

async function send(method, path, body, headers = {}) {
  const answer = await fetch(`${server.url}/service.api/scim/v2/${path}`, { method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/scim+json' } : {}), ...headers },
    body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (text) assert.match(answer.headers.get('content-type'), /^application\/scim\+json/);
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null };
}
async function api(method, path, body) {
  const answer = await fetch(`${server.url}/service.api/api/v1/${path}`, { method,
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' }, body: body && JSON.stringify(body) });
  const told = await answer.json();
  assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(told)}`);
  return told;
}
const query = (options) => new URLSearchParams(options).toString();

// A provider's own client: it signs in for itself, and its role has the right Administration.
before(async () => {
  server = await startServer('oauth.attempts_per_minute=100000');
  admin = await byPassword('admin', 'Analyst');
  const roles = await api('GET', `role?${query({ $filter: 'Name == "Administrator"', $select: 'Ref' })}`);
  const client = await api('POST', 'client', { ClientId: 'provisioner', Name: 'The identity provider',
    Grants: 'client_credentials', SessionType: 'User', Role: roles.results[0].Ref });
  await api('PUT', `client/${client.Ref}/set-secret`, { Secret: 'provisioner-secret-1' });
  token = await signIn({ client_id: 'provisioner', client_secret: 'provisioner-secret-1', grant_type: 'client_credentials',
    scope: 'session-type:User' });
});
after(() => server?.stop());

let number = 0;
function newUser(more = {}) {
  number += 1;
  return { schemas: [coreUser], userName: `user-${number}@example.org`, name: { givenName: 'Ada', familyName: `Lovelace ${number}` },
    emails: [{ value: `user-${number}@example.org`, type: 'work', primary: true }], active: true, ...more };
}
async function made(more) {
  const answer = await send('POST', 'Users', newUser(more));
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}
async function patched(path, ...operations) {
  const answer = await send('PATCH', path, { schemas: [patchOp], Operations: operations });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}
const found = async (endpoint, filter) => {
  const answer = await send('GET', `${endpoint}?${query({ filter })}`);
  assert.equal(answer.status, 200, `${filter}: ${JSON.stringify(answer.body)}`);
  return answer.body.Resources.map((each) => each.id);
};

test('discovery tells what there is', async () => {
  const config = (await send('GET', 'ServiceProviderConfig')).body;
  assert.equal(config.patch.supported && config.filter.supported && config.etag.supported, true);
  assert.equal(config.bulk.supported || config.sort.supported || config.changePassword.supported, false);
  const types = (await send('GET', 'ResourceTypes')).body;
  assert.deepEqual(types.Resources.map((type) => [type.id, type.endpoint]), [['User', '/Users'], ['Group', '/Groups']]);
  assert.equal((await send('GET', 'ResourceTypes/User')).body.schema, coreUser);
  const schemas = (await send('GET', 'Schemas')).body;
  assert.deepEqual(schemas.Resources.map((schema) => schema.id), [coreUser, enterprise, coreGroup]);
  const user = (await send('GET', `Schemas/${coreUser}`)).body;
  const attribute = (name) => user.attributes.find((each) => each.name === name);
  assert.equal(attribute('userName').uniqueness, 'server');
  assert.equal(attribute('emails').multiValued, true);
  assert.equal(attribute('displayName').mutability, 'readOnly');
  assert.equal(attribute('nickName'), undefined);
  for (const path of ['ResourceTypes/None', 'Schemas/None', 'Nothing', '', 'Users/1/2'])
    assert.equal((await send('GET', path)).status, 404, path);
  assert.equal((await send('POST', 'Schemas', {})).status, 405);
  for (const path of ['Me', 'Bulk']) assert.equal((await send('GET', path)).status, 501, path);
});

test('only the right Administration provisions', async () => {
  const before = token;
  for (const [name, get, status] of [['nobody', () => '', 401], ['a made-up token', () => 'x'.repeat(43), 401],
    ['an analyst', () => byPassword('analyst', 'Analyst'), 403], ['an administrator as a user', () => byPassword('admin', 'User'), 403],
    ['a client without that role', () => signIn({ client_id: 'sample-service', client_secret: 'sample-secret',
      grant_type: 'client_credentials', scope: 'session-type:User' }), 403],
    ['an administrator', () => admin, 200]]) {
    token = await get();
    const answer = await send('GET', 'Users?count=1');
    assert.equal(answer.status, status, name);
    if (status === 401) assert.match(answer.headers.get('www-authenticate'), /^Bearer/);
    if (status !== 200) assert.equal(answer.body.status, String(status));
  }
  token = before;
});

test('a user is created, read, replaced and deleted', async () => {
  const manager = await made();
  const sent = newUser({ externalId: 'ext-1', title: 'Countess', locale: 'en-GB', timezone: 'Europe/London', password: 'never kept',
    addresses: [{ country: 'UK' }], phoneNumbers: [{ value: '+44 1', type: 'work' }, { value: '+44 2', type: 'home' }],
    [enterprise]: { department: 'Engines', manager: { value: manager.id } } });
  const answer = await send('POST', 'Users', sent);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  const user = answer.body;
  assert.equal(answer.headers.get('location'), user.meta.location);
  assert.equal(answer.headers.get('etag'), user.meta.version);
  assert.equal(user.meta.location, `${server.url}/service.api/scim/v2/Users/${user.id}`);
  assert.equal(user.userName, sent.userName.toUpperCase());
  assert.deepEqual(user.name, { formatted: `Ada ${sent.name.familyName}`, familyName: sent.name.familyName, givenName: 'Ada' });
  assert.deepEqual(user.emails, sent.emails);
  assert.deepEqual(user.phoneNumbers, [{ value: '+44 1', type: 'work', primary: true }]);
  assert.equal(user[enterprise].department, 'Engines');
  assert.equal(user[enterprise].manager.value, manager.id);
  assert.equal(user.password ?? user.addresses, undefined);
  assert.deepEqual((await send('GET', `Users/${user.id}`)).body, user);
  const record = await api('GET', `person/${user.id}?$select=ExternalId,Department,IsActive,CreatedBy`);
  assert.deepEqual([record.ExternalId, record.Department, record.IsActive], ['ext-1', 'Engines', true]);

  const whole = { schemas: [coreUser], userName: sent.userName, name: { familyName: 'Byron' } };
  const replaced = (await send('PUT', `Users/${user.id}`, whole)).body;
  assert.deepEqual(replaced.name, { formatted: 'Byron', familyName: 'Byron' });
  assert.equal(replaced.title ?? replaced.externalId ?? replaced.emails ?? replaced[enterprise], undefined);
  assert.equal(replaced.active, true);

  assert.equal((await send('DELETE', `Users/${user.id}`)).status, 204);
  assert.equal((await send('GET', `Users/${user.id}`)).status, 404);
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const body = method === 'PUT' ? whole : method === 'PATCH' ? { schemas: [patchOp], Operations: [{ op: 'replace', path: 'title', value: 'x' }] } : undefined;
    assert.equal((await send(method, `Users/${user.id}`, body)).status, 404, method);
  }
});

test('who is referred to is not deleted, but deactivated', async () => {
  const user = await made();
  await api('POST', 'incident', { ShortDescription: 'No ink', Impact: 2, Urgency: 1, User: Number(user.id) });
  const refused = await send('DELETE', `Users/${user.id}`);
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /active to false/);
  assert.equal((await patched(`Users/${user.id}`, { op: 'replace', value: { active: false } })).active, false);
});

test('a user who is deactivated is out at once', async () => {
  const persons = await api('GET', `person?${query({ $filter: 'LoginId == "ANALYST2"', $select: 'Ref' })}`);
  const id = persons.results[0].Ref;
  const theirs = await byPassword('analyst2', 'Analyst');
  const ask = async () => (await fetch(`${server.url}/service.api/api/v1/call?$top=1`, { headers: { authorization: `Bearer ${theirs}` } })).status;
  assert.equal(await ask(), 200);
  await patched(`Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
  assert.equal(await ask(), 401);
  assert.equal((await patched(`Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })).active, true);
});

test('names are unique whatever their case', async () => {
  const user = await made();
  for (const userName of [user.userName, user.userName.toLowerCase()]) {
    const again = await send('POST', 'Users', newUser({ userName }));
    assert.equal(again.status, 409);
    assert.equal(again.body.scimType, 'uniqueness');
  }
  const other = await made();
  const renamed = await send('PATCH', `Users/${other.id}`, { schemas: [patchOp], Operations: [{ op: 'replace', path: 'userName', value: user.userName }] });
  assert.equal(renamed.status, 409);
  const same = await patched(`Users/${user.id}`, { op: 'replace', path: 'userName', value: user.userName.toLowerCase() });
  assert.equal(same.meta.version, user.meta.version);
});

test('PATCH in the dialects of clients', async () => {
  const is = (name) => (user) => user[name];
  const rows = [
    ['Okta deactivates', [{ op: 'replace', value: { active: false } }], (u) => u.active, false],
    ['Entra deactivates', [{ op: 'Replace', path: 'active', value: 'False' }], (u) => u.active, false],
    ['Entra adds a flag as a text', [{ op: 'Add', path: 'active', value: 'True' }], (u) => u.active, true],
    ['a path of a sub-attribute', [{ op: 'replace', path: 'name.givenName', value: 'Augusta' }], (u) => u.name.givenName, 'Augusta'],
    ['a complex value', [{ op: 'add', path: 'name', value: { givenName: 'Anne' } }], (u) => u.name, { formatted: 'Anne Byron', givenName: 'Anne', familyName: 'Byron' }],
    ['paths as names', [{ op: 'replace', value: { 'name.givenName': 'Annabella', title: 'Lady' } }], (u) => [u.name.givenName, u.title], ['Annabella', 'Lady']],
    ['Entra changes an address', [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'a@new.example' }], (u) => u.emails[0].value, 'a@new.example'],
    ['the primary address', [{ op: 'replace', path: 'emails[primary eq true].value', value: 'b@new.example' }], (u) => u.emails[0].value, 'b@new.example'],
    ['a list of addresses', [{ op: 'replace', path: 'emails', value: [{ value: 'home@x.example', type: 'home' }, { value: 'c@new.example', primary: true, type: 'other' }] }], (u) => u.emails[0].value, 'c@new.example'],
    ['one address without a type', [{ op: 'add', path: 'emails', value: [{ value: 'd@new.example' }] }], (u) => u.emails[0].value, 'd@new.example'],
    ['an address goes', [{ op: 'remove', path: 'emails[type eq "work"]' }], is('emails'), undefined],
    ['what is not kept is passed over', [{ op: 'replace', path: 'addresses[type eq "work"].country', value: 'AT' }, { op: 'replace', path: 'title', value: 'Dr' }], is('title'), 'Dr'],
    ['the extension by its URN', [{ op: 'Add', path: `${enterprise}:department`, value: 'Sums' }], (u) => u[enterprise].department, 'Sums'],
    ['the extension as an object', [{ op: 'replace', value: { [enterprise]: { department: 'Tides' } } }], (u) => u[enterprise].department, 'Tides'],
    ['the URN as a name', [{ op: 'replace', value: { [`${enterprise}:department`]: 'Stars' } }], (u) => u[enterprise].department, 'Stars'],
    ['the core URN before a name', [{ op: 'replace', path: `${coreUser}:title`, value: 'Mme' }], is('title'), 'Mme'],
    ['an attribute goes', [{ op: 'remove', path: 'title' }], is('title'), undefined],
    ['names in any case', [{ op: 'REPLACE', path: 'TITLE', value: 'Sir' }], is('title'), 'Sir'],
    ['one after the other', [{ op: 'add', path: 'title', value: 'A' }, { op: 'replace', path: 'title', value: 'B' }, { op: 'remove', path: 'locale' }], is('title'), 'B'],
    ['null empties', [{ op: 'replace', path: 'title', value: null }], is('title'), undefined],
  ];
  const user = await made({ name: { familyName: 'Byron' } });
  for (const [what, operations, get, expected] of rows)
    assert.deepEqual(get(await patched(`Users/${user.id}`, ...operations)), expected, what);
  await patched(`Users/${user.id}`, { op: 'Add', path: `${enterprise}:manager`, value: user.id });
  const managed = await patched(`Users/${user.id}`, { op: 'add', path: `${enterprise}:manager`, value: { value: user.id } });
  assert.equal(managed[enterprise].manager.value, user.id);
  assert.equal((await patched(`Users/${user.id}`, { op: 'remove', path: `${enterprise}:manager` }))[enterprise].manager, undefined);
});

test('a flag has always a value, and a name that must be there takes another', async () => {
  const user = await made({ name: undefined });
  assert.equal(user.name.familyName.toLowerCase(), user.userName.toLowerCase());
  assert.equal((await patched(`Users/${user.id}`, { op: 'remove', path: 'active' })).active, true);
  assert.equal((await send('PUT', `Users/${user.id}`, { schemas: [coreUser], userName: user.userName })).body.name.familyName, user.name.familyName);
});

test('requests that are wrong are told why', async () => {
  const user = await made();
  const op = (operation) => ['PATCH', `Users/${user.id}`, { schemas: [patchOp], Operations: [operation] }];
  const rows = [
    ['POST', 'Users', { schemas: [coreUser], name: { familyName: 'x' } }, 400, 'invalidValue'],
    ['POST', 'Users', newUser({ active: 'perhaps' }), 400, 'invalidValue'],
    ['POST', 'Users', newUser({ title: 'x'.repeat(100) }), 400, 'invalidValue'],
    ['POST', 'Users', newUser({ title: { a: [] } }), 201, undefined],
    ['POST', 'Users', newUser({ noSuchThing: 1 }), 400, 'invalidPath'],
    ['POST', 'Users', newUser({ [enterprise]: { manager: { value: '999999' } } }), 400, 'invalidValue'],
    ['POST', 'Users', [], 400, 'invalidSyntax'],
    ['PUT', `Users/${user.id}`, { schemas: [coreUser], userName: null }, 400, 'invalidValue'],
    [...op({ op: 'replace', path: 'noSuchThing', value: 1 }), 400, 'invalidPath'],
    [...op({ op: 'replace', path: 'id', value: '1' }), 400, 'mutability'],
    [...op({ op: 'replace', path: 'groups', value: [] }), 400, 'mutability'],
    [...op({ op: 'replace', path: 'emails[type pr].value', value: '1' }), 400, 'invalidFilter'],
    [...op({ op: 'replace', path: 'emails[type eq', value: '1' }), 400, 'invalidPath'],
    [...op({ op: 'remove' }), 400, 'noTarget'],
    [...op({ op: 'move', path: 'title' }), 400, 'invalidSyntax'],
    [...op({ op: 'replace', path: 'title' }), 400, 'invalidValue'],
    [...op({ op: 'add', value: 'x' }), 400, 'invalidValue'],
    ['PATCH', `Users/${user.id}`, { schemas: [patchOp] }, 400, 'invalidSyntax'],
    ['PATCH', 'Users', { schemas: [patchOp], Operations: [] }, 405, undefined],
    ['PUT', 'Users', {}, 405, undefined],
    ['GET', 'Users/none', undefined, 404, undefined],
    ['GET', 'Users/999999', undefined, 404, undefined],
    ['GET', 'Users?count=many', undefined, 400, 'invalidValue'],
  ];
  for (const [method, path, body, status, scimType] of rows) {
    const answer = await send(method, path, body);
    const what = `${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`;
    assert.equal(answer.status, status, what);
    if (status < 400) continue;
    assert.equal(answer.body.scimType, scimType, what);
    assert.deepEqual(answer.body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
    assert.equal(answer.body.status, String(status));
    assert.ok(answer.body.detail.length > 0, what);
  }
  const broken = await fetch(`${server.url}/service.api/scim/v2/Users`, { method: 'POST', body: '{"userName":', headers: { authorization: `Bearer ${token}` } });
  assert.equal((await broken.json()).scimType, 'invalidSyntax');
});

test('filters', async () => {
  const ada = await made({ externalId: 'Ext-A', userName: 'filter-ada@example.org', title: 'Countess "A"', active: false,
    name: { givenName: 'Ada', familyName: 'Filtered' }, emails: [{ value: 'ada@filter.example', type: 'work' }],
    [enterprise]: { department: 'Filters' } });
  const bob = await made({ userName: 'filter-bob@example.org', name: { familyName: 'Filtered' }, emails: [] });
  const both = [ada.id, bob.id];
  const rows = [
    ['userName eq "filter-ada@example.org"', [ada.id]], ['userName eq "FILTER-ADA@EXAMPLE.ORG"', [ada.id]],
    ['USERNAME EQ "filter-ada@example.org"', [ada.id]], ['userName eq "nobody@example.org"', []],
    ['userName sw "filter-"', both], ['userName co "ter-b"', [bob.id]], ['userName sw "filter-" and userName ew "ada@example.org"', [ada.id]],
    ['externalId eq "Ext-A"', [ada.id]], [`id eq "${bob.id}"`, [bob.id]], ['id eq "none"', []],
    ['name.familyName eq "Filtered"', both], ['name.familyName eq "Filtered" and not (title pr)', [bob.id]],
    ['name.familyName eq "Filtered" and title pr', [ada.id]], ['name.familyName eq "Filtered" and title eq null', [bob.id]],
    ['name.familyName eq "Filtered" and active eq true', [bob.id]], ['name.familyName eq "Filtered" and active ne true', [ada.id]],
    ['title eq "Countess \\"A\\""', [ada.id]], ['title eq "x\\" || Ref != null || \\""', []],
    ['emails eq "ada@filter.example"', [ada.id]], ['emails.value sw "ada@filter"', [ada.id]],
    ['emails[type eq "work" and value co "@filter.example"]', [ada.id]], ['emails[type eq "home" and value co "@filter.example"]', []],
    ['emails[value eq "ADA@filter.example"]', [ada.id]],
    [`${enterprise}:department eq "Filters"`, [ada.id]], [`${coreUser}:userName eq "filter-bob@example.org"`, [bob.id]],
    ['(userName eq "filter-ada@example.org" or userName eq "filter-bob@example.org") and name.familyName pr', both],
    ['userName eq "filter-ada@example.org" or userName eq "filter-bob@example.org" and active eq false', [ada.id]],
    ['userName sw "filter-" and meta.created gt "2020-01-01T00:00:00Z"', both],
    ['userName sw "filter-" and meta.lastModified lt "2020-01-01T00:00:00Z"', []],
    ['userName sw "filter-" and nickName eq "x"', []], ['userName sw "filter-" and nickName ne "x"', both],
  ];
  for (const [filter, ids] of rows) assert.deepEqual(await found('Users', filter), ids, filter);
  for (const filter of ['userName', 'userName eq', 'userName is "x"', 'userName eq x', 'eq "x"', '(userName pr', 'userName pr)', 'userName pr and',
    'noSuchThing eq "x"', 'active gt true', 'active eq "x"', 'userName eq true', 'emails[type eq "work"', 'emails.type eq "work"',
    'meta.created eq "yesterday"', 'meta.version eq "1"', 'userName eq ["x"]', 'not userName pr', '('.repeat(40), 'x'.repeat(9000), 'userName eq "\\u0000"']) {
    const answer = await send('GET', `Users?${query({ filter })}`);
    assert.equal(answer.status, 400, `${filter.slice(0, 60)}: ${JSON.stringify(answer.body).slice(0, 200)}`);
    assert.equal(answer.body.scimType, 'invalidFilter', filter.slice(0, 60));
  }
});

test('pages and attributes', async () => {
  for (let i = 0; i < 5; ++i) await made({ title: 'Paged' });
  const page = async (options) => (await send('GET', `Users?${query({ filter: 'title eq "Paged"', ...options })}`)).body;
  const all = await page({});
  assert.deepEqual([all.totalResults, all.startIndex, all.itemsPerPage, all.Resources.length], [5, 1, 5, 5]);
  const ids = all.Resources.map((user) => user.id);
  const rows = [[{ startIndex: 2, count: 2 }, ids.slice(1, 3), 2], [{ startIndex: 5, count: 10 }, ids.slice(4), 5], [{ startIndex: 6 }, [], 6],
    [{ startIndex: 0, count: 1 }, ids.slice(0, 1), 1], [{ startIndex: -3, count: -1 }, [], 1], [{ count: 0 }, [], 1], [{ count: 100000 }, ids, 1]];
  for (const [options, expected, start] of rows) {
    const answer = await page(options);
    assert.deepEqual([answer.Resources.map((user) => user.id), answer.totalResults, answer.startIndex, answer.itemsPerPage],
      [expected, 5, start, expected.length], JSON.stringify(options));
  }
  const names = (user) => Object.keys(user).sort();
  assert.deepEqual(names((await page({ attributes: 'userName,name.familyName' })).Resources[0]), ['id', 'name', 'schemas', 'userName']);
  const without = names((await page({ excludedAttributes: 'emails,meta' })).Resources[0]);
  assert.equal(without.includes('emails') || without.includes('meta'), false);
  assert.equal(without.includes('userName'), true);
});

test('versions', async () => {
  const user = await made();
  const etag = user.meta.version;
  assert.equal((await send('GET', `Users/${user.id}`, undefined, { 'if-none-match': etag })).status, 304);
  const op = (title) => ({ schemas: [patchOp], Operations: [{ op: 'replace', path: 'title', value: title }] });
  const changed = await send('PATCH', `Users/${user.id}`, op('New'), { 'if-match': etag });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.get('etag'), etag);
  assert.equal((await send('GET', `Users/${user.id}`, undefined, { 'if-none-match': etag })).status, 200);
  for (const [method, body] of [['PATCH', op('Old')], ['PUT', newUser()], ['DELETE', undefined]])
    assert.equal((await send(method, `Users/${user.id}`, body, { 'if-match': etag })).status, 412, method);
  assert.equal((await send('GET', `Users/${user.id}`)).body.title, 'New');
  const same = await send('PATCH', `Users/${user.id}`, op('New'), { 'if-match': '*' });
  assert.equal(same.headers.get('etag'), changed.headers.get('etag'), 'what changes nothing is no change');
  assert.equal((await send('DELETE', `Users/${user.id}`, undefined, { 'if-match': same.headers.get('etag') })).status, 204);
});

test('groups and their members', async () => {
  const [ada, bob, eve] = [await made(), await made(), await made()];
  const ids = (group) => (group.members ?? []).map((member) => member.value);
  const created = await send('POST', 'Groups', { schemas: [coreGroup], displayName: 'Engines', externalId: 'g-1', members: [{ value: ada.id }] });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const group = created.body;
  const path = `Groups/${group.id}`;
  assert.deepEqual([group.displayName, group.externalId, ids(group)], ['Engines', 'g-1', [ada.id]]);
  assert.equal(group.members[0].$ref, ada.meta.location);
  assert.deepEqual((await send('GET', `Users/${ada.id}`)).body.groups.map((each) => each.value), [group.id]);
  const rows = [
    ['Entra adds', [{ op: 'Add', path: 'members', value: [{ value: bob.id }] }], [ada.id, bob.id]],
    ['adding again changes nothing', [{ op: 'Add', path: 'members', value: [{ value: bob.id }] }], [ada.id, bob.id]],
    ['Entra removes by a filter', [{ op: 'Remove', path: `members[value eq "${ada.id}"]` }], [bob.id]],
    ['Entra removes by a value', [{ op: 'Remove', path: 'members', value: [{ value: bob.id }] }], []],
    ['Okta replaces', [{ op: 'replace', path: 'members', value: [{ value: ada.id, display: 'Ada' }, { value: eve.id }] }], [ada.id, eve.id]],
    ['several at once', [{ op: 'remove', path: `members[value eq "${ada.id}"]` }, { op: 'add', path: 'members', value: [{ value: bob.id }] }], [bob.id, eve.id]],
    ['an object without a path', [{ op: 'add', value: { members: [{ value: ada.id }] } }], [ada.id, bob.id, eve.id]],
    ['Okta renames with an id', [{ op: 'replace', value: { id: group.id, displayName: 'Motors' } }], [ada.id, bob.id, eve.id]],
    ['who is not in it goes anyway', [{ op: 'remove', path: 'members[value eq "999999"]' }], [ada.id, bob.id, eve.id]],
    ['all of them', [{ op: 'remove', path: 'members' }], []],
  ];
  for (const [what, operations, expected] of rows) assert.deepEqual(ids(await patched(path, ...operations)).sort(), expected.sort(), what);
  assert.equal((await send('GET', path)).body.displayName, 'Motors');
  await patched(path, { op: 'add', path: 'members', value: [{ value: eve.id }] });
  assert.deepEqual(await found('Groups', 'displayName eq "motors"'), [group.id]);
  assert.deepEqual(await found('Groups', `members[value eq "${eve.id}"]`), [group.id]);
  assert.deepEqual(await found('Groups', `members.value eq "${ada.id}"`), []);
  const light = (await send('GET', `Groups?${query({ filter: 'displayName eq "Motors"', excludedAttributes: 'members' })}`)).body;
  assert.equal(light.Resources[0].members, undefined);
  const unknown = await send('PATCH', path, { schemas: [patchOp], Operations: [{ op: 'add', path: 'members', value: [{ value: '999999' }] }] });
  assert.deepEqual([unknown.status, unknown.body.scimType], [400, 'invalidValue']);
  assert.deepEqual(ids((await send('PUT', path, { schemas: [coreGroup], displayName: 'Motors', members: [{ value: bob.id }] })).body), [bob.id]);
  assert.deepEqual(ids((await send('PUT', path, { schemas: [coreGroup], displayName: 'Motors' })).body), []);
  await patched(path, { op: 'add', path: 'members', value: [{ value: bob.id }] });
  assert.equal((await send('DELETE', path)).status, 204);
  assert.equal((await send('GET', path)).status, 404);
  assert.equal((await send('GET', `Users/${bob.id}`)).body.groups, undefined);
});

test('what provisioning does, the audit and webhooks of the desk hear', async () => {
  const hook = await api('POST', 'webhook', { Name: 'persons', PayloadUrl: 'http://127.0.0.1:9/hook', CoreEntityType: 'Person' });
  const user = await made();
  await patched(`Users/${user.id}`, { op: 'replace', value: { active: false } });
  const sent = await api('GET', `webhook/${hook.Ref}/delivery?$select=Event`);
  assert.deepEqual(sent.results.map((each) => each.Event).sort(), ['Created', 'Updated']);
  await api('DELETE', `webhook/${hook.Ref}`);
});
