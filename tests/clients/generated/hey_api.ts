// @hey-api/openapi-ts: a function for each operation.
import assert from 'node:assert/strict';
import * as desk from './hey-api/index.js';
import { client } from './hey-api/client.gen.js';

client.setConfig({ baseUrl: process.env.DESK! });
const token = await desk.oauthLogin({ body: { grant_type: 'password', client_id: 'sample-app', username: 'analyst',
                                              password: 'callisto', scope: 'session-type:Analyst' } });
client.setConfig({ baseUrl: process.env.DESK!, headers: { Authorization: `Bearer ${token.data!.access_token}` } });

const found = await desk.callSearch({ query: { $filter: '@IsOpen', $top: 3, $inlinecount: true } });
assert.equal((found.data as desk.CallPage).results.length, 3);
const count: number = (await desk.callCount({ query: { $filter: '@IsOpen' } })).data!;
assert.equal(count, (found.data as desk.CallPage).__count);

const made = await desk.incidentCreate({ body: { ShortDescription: 'No ink', Impact: 2, Urgency: 1 } });
const id: number = made.data!.Ref!;
const refused = await desk.incidentResolve({ path: { id }, body: { Description: '' } });
assert.equal((refused.error as desk.ApiError).Errors![0].Property, 'Description');
const lost = await desk.incidentUpdate({ path: { id }, headers: { 'If-Match': '"0.0"' }, body: { ShortDescription: 'x' } });
assert.equal((lost.error as desk.ApiError).Option, 'If-Match');
const resolved = await desk.incidentResolve({ path: { id }, body: { Description: 'Filled.' } });
assert.equal(resolved.data!.State, 3);

const file = await desk.incidentAddAttachment({ path: { id }, body: { file: new File(['stripes'], 'print.txt') } });
const ref: number = file.data!.Ref!;
const bytes = await desk.incidentDownloadAttachment({ path: { id, ref }, parseAs: 'text' });
assert.equal(bytes.data, 'stripes');
