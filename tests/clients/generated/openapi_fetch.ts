// openapi-typescript and openapi-fetch: types of the paths, and a client that is nothing but these.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript.js';

const baseUrl = process.env.DESK!;
const anyone = createClient<paths, 'application/json'>({ baseUrl });
const { data: token } = await anyone.POST('/oauth/login', {
  body: { grant_type: 'password', client_id: 'sample-app', username: 'analyst', password: 'callisto',
          scope: 'session-type:Analyst' },
  bodySerializer: (form) => new URLSearchParams(form as Record<string, string>),
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
});
const desk = createClient<paths, 'application/json'>({ baseUrl, headers: { Authorization: `Bearer ${token!.access_token}` } });

const found = await desk.GET('/call', { params: { query: { $filter: '@IsOpen', $top: 3, $select: 'Ref,Priority.Name', $inlinecount: true } } });
assert.equal(found.data!.results.length, 3);
const count: number = (await desk.GET('/call/$count', { params: { query: { $filter: '@IsOpen' } } })).data!;
assert.equal(count, found.data!.__count);

const made = await desk.POST('/incident', { body: { ShortDescription: 'No ink', Impact: 2, Urgency: 1 } });
const id: number = made.data!.Ref!;
const refused = await desk.PUT('/incident/{id}/resolve', { params: { path: { id } }, body: { Description: '' } });
assert.equal(refused.error!.Errors![0].Property, 'Description');
const lost = await desk.PUT('/incident/{id}', { params: { path: { id }, header: { 'If-Match': '"0.0"' } }, body: { ShortDescription: 'x' } });
assert.equal(lost.error!.Option, 'If-Match');
const resolved = await desk.PUT('/incident/{id}/resolve', { params: { path: { id } }, body: { Description: 'Filled.' } });
assert.equal(resolved.data!.State, 3);

const file = await desk.POST('/incident/{id}/attachment', {
  params: { path: { id } },
  body: { file: new Blob(['stripes'], { type: 'text/plain' }) as unknown as string, Name: 'print.txt' },
  bodySerializer: (body) => {
    const form = new FormData();
    form.append('file', (body as { file: unknown }).file as Blob, 'print.txt');
    return form;
  },
});
const ref: number = file.data!.Ref!;
const bytes = await createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token!.access_token}` } })
  .GET('/incident/{id}/attachment/{ref}/content', { params: { path: { id, ref } }, parseAs: 'text' });
assert.equal(bytes.data, 'stripes');
