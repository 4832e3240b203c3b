#!/usr/bin/env node
// A webhook receiver to try deliveries with: it checks their signature, prints each, knows those that came before, and
// can be made to fail or to be slow, so that retries can be seen. It needs Node 18 and nothing else.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { verify } from './verify.mjs';

const HELP = `Usage: node receiver.mjs --secret TEXT [options]

  --secret TEXT        the webhook's Secret; deliveries that it did not sign are answered 401
  --port NUMBER        port to listen on; 0 picks a free one (default 8800)
  --host ADDRESS       address to listen on (default 127.0.0.1)
  --status NUMBER      answer with this status (default 204)
  --delay SECONDS      wait so long before each answer (default 0)
  --fail-first COUNT   answer the first COUNT deliveries with 500
  --retry-after TEXT   send this Retry-After with every answer that is no success
  --quiet              print a line for each delivery, without its body
  --json               print each delivery as one line of JSON, for programs
  --help               this text

"listening on URL" on standard output says that it is ready. A delivery whose webhook-id came before and was answered
with success is a duplicate: it is printed as one and answered, and not counted again.`;

function fail(message) {
  process.stderr.write(`${message}\nnode receiver.mjs --help tells more\n`);
  process.exit(2);
}

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  try {
    return parseArgs({ options: {
      secret: text, port: { ...text, default: '8800' }, host: { ...text, default: '127.0.0.1' },
      status: { ...text, default: '204' }, delay: { ...text, default: '0' },
      'fail-first': { ...text, default: '0' }, 'retry-after': text, quiet: flag, json: flag, help: flag,
    } }).values;
  } catch (error) {
    return fail(error.message);
  }
}

function number(options, name, lowest, highest) {
  const value = Number(options[name]);
  if (options[name].trim() === '' || !(value >= lowest && value <= highest))
    fail(`--${name} must be a number from ${lowest} to ${highest}`);
  return value;
}

const options = readOptions();
if (options.help) {
  process.stdout.write(`${HELP}\n`);
  process.exit(0);
}
if (!options.secret) fail('--secret is missing: give the Secret of the webhook');
const port = number(options, 'port', 0, 65535);
const status = number(options, 'status', 200, 599);
const delay = number(options, 'delay', 0, 3600) * 1000;
let failures = number(options, 'fail-first', 0, 1e9);
const taken = new Set(); // a real receiver keeps these with its data, in the same transaction
let closing = false;

const isSuccess = (code) => code >= 200 && code < 300;

function print(delivery, body) {
  if (options.json) return process.stdout.write(`${JSON.stringify({ ...delivery, body: body.toString() })}\n`);
  const { id, event, attempt, verdict, code } = delivery;
  process.stdout.write(`${new Date().toISOString()} ${event} ${id} attempt ${attempt}: ${verdict}, answered ${code}\n`);
  if (!options.quiet && verdict === 'new') process.stdout.write(`${body}\n`);
}

function judge(headers, body) {
  if (!verify(options.secret, headers, body)) return { verdict: 'not signed by the secret', code: 401 };
  if (taken.has(headers['webhook-id'])) return { verdict: 'duplicate', code: isSuccess(status) ? status : 200 };
  if (failures > 0) return { verdict: 'failing as told', code: 500, failing: failures-- };
  return { verdict: 'new', code: status };
}

async function answer(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { verdict, code } = judge(request.headers, body);
  if (verdict === 'new' && isSuccess(code)) taken.add(request.headers['webhook-id']);
  if (delay > 0) await new Promise((resolve) => { setTimeout(resolve, delay); });
  const head = !isSuccess(code) && options['retry-after'] ? { 'Retry-After': options['retry-after'] } : {};
  if (closing) head.Connection = 'close';
  response.writeHead(code, head).end();
  print({ id: request.headers['webhook-id'] ?? '(no webhook-id)',
          event: request.headers['callisto-event'] ?? '(no event)',
          attempt: request.headers['callisto-attempt'] ?? '?', verdict, code }, body);
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => process.stderr.write(`a request broke off: ${error.message}\n`));
});
server.on('error', (error) => fail(`cannot listen on ${options.host}:${port}: ${error.message}`));
server.listen(port, options.host, () => {
  process.stdout.write(`listening on http://${options.host}:${server.address().port}/\n`);
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    closing = true;
    server.close(() => process.exit(0));
    server.closeIdleConnections();
  });
}
