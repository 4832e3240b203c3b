// orval with its fetch client.
import assert from 'node:assert/strict';
import * as desk from './orval/desk.js';

const token = await desk.oauthLogin({ grant_type: 'password', client_id: 'sample-app', username: 'analyst',
                                      password: 'callisto', scope: 'session-type:Analyst' });
const headers = { Authorization: `Bearer ${(token.data as desk.OauthToken).access_token}` };

const found = await desk.callSearch({ $filter: '@IsOpen', $top: 3, $inlinecount: true }, { headers });
const page = found.data as desk.CallPage;
assert.equal(page.results.length, 3);
const count = await desk.callCount({ $filter: '@IsOpen' }, { headers });
assert.equal(count.data, page.__count);

const made = await desk.incidentCreate({ ShortDescription: 'No ink', Impact: 2, Urgency: 1 }, { headers });
const id: number = (made.data as desk.Incident).Ref!;
const json = { ...headers, 'Content-Type': 'application/json' };
const refused = await desk.incidentResolve(id, { Description: '' }, { headers: json });
assert.equal((refused.data as desk.ApiError).Errors![0].Property, 'Description');
const lost = await desk.incidentUpdate(id, { ShortDescription: 'x' }, { headers: { ...json, 'If-Match': '"0.0"' } });
assert.equal((lost.data as desk.ApiError).Option, 'If-Match');
const resolved = await desk.incidentResolve(id, { Description: 'Filled.' }, { headers: json });
assert.equal((resolved.data as desk.Incident).State, 3);

const file = await desk.incidentAddAttachment(id, { file: new File(['stripes'], 'print.txt') }, { headers });
const ref: number = (file.data as desk.Attachment).Ref!;
// Its fetch client takes every answer for JSON; its urls are right.
const bytes = await fetch(desk.getIncidentDownloadAttachmentUrl(id, ref), { headers });
assert.equal(await bytes.text(), 'stripes');
