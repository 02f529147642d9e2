/** Requests over HTTP, as bytes on a socket: recorded requests and those of SDKs, with random changes. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { patient } from '../../scripts/run/patience.ts';
import type { Random } from '../differential/random.ts';
import { type Exchange, judgeAnswer } from './answers.ts';
import { changeBytes } from './bytes.ts';
import { type FuzzedService, startFuzzedService } from './service.ts';
import type { Outcome, Target } from './target.ts';

interface Recording {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Placeholders for tokens, because each service has different ones. */
const placeholders = { admin: 'TOKEN-OF-ADMIN', user: 'TOKEN-OF-USER' } as const;

/** The limit of a request, in bytes. Other tests cover the cost of larger bodies. */
const mostBytes = 16 * 1024;

/** An exchange ends after this many milliseconds without data, because a stream stays open after its first checkpoint. */
const quietAfter = 40;
const patience = patient(10_000);

export async function openHttp(): Promise<Target> {
  const service = await startFuzzedService();
  const seeds = [...recorded(), ...asClientsDo].map(textOf).map((text) => Buffer.from(text));
  return {
    name: 'http',
    seeds,
    mutate: (input, random) => mutate(input, random, seeds),
    attempt: (input) => attempt(service, input),
    leftovers: service.leftovers,
    close: service.stop,
  };
}

function recorded(): readonly Recording[] {
  const text = readFileSync(join(root, 'test/fixtures/recordings/control.json'), 'utf8');
  return JSON.parse(text.replaceAll('peer-api-token', placeholders.admin)) as readonly Recording[];
}

const json = { 'content-type': 'application/json' };
const user = { authorization: `Token ${placeholders.user}` };
const admin = { authorization: `Bearer ${placeholders.admin}` };

const asClientsDo: readonly Recording[] = [
  ...[
    {},
    {
      raw_data: true,
      include_checksum: true,
      client_id: 'c',
      buckets: [{ name: '1#lists|0["user1"]', after: '0' }],
    },
    { parameters: { a: 1 }, app_metadata: { app: 'x' }, buckets: [] },
    {
      streams: {
        include_defaults: true,
        subscriptions: [{ stream: 'todos', parameters: { list: 'l1' }, override_priority: 1 }],
      },
    },
  ].flatMap((body) => [
    { method: 'POST', path: '/sync/stream', headers: { ...json, ...user }, body: JSON.stringify(body) },
    { method: 'POST', path: '/sync/stream', headers: json, body: JSON.stringify(body) },
  ]),
  {
    method: 'POST',
    path: '/sync/stream',
    body: '{"raw_data":true}',
    headers: {
      ...json,
      ...user,
      accept: 'application/vnd.powersync.bson-stream;q=0.9,*/*;q=0.1',
      'accept-encoding': 'gzip, zstd',
    },
  },
  { method: 'GET', path: '/write-checkpoint2.json?client_id=c', headers: user, body: null },
  {
    method: 'POST',
    path: '/sync/checkpoint-request',
    headers: { ...json, ...user },
    body: '{"client_id":"c","checkpoint_request_id":"7"}',
  },
  ...['diagnostics', 'schema', 'validate'].map((name) => ({
    method: 'POST',
    path: `/api/admin/v1/${name}`,
    headers: { ...json, ...admin },
    body:
      name === 'validate'
        ? '{"sync_rules":"config: {edition: 3}\\nstreams: {s: {query: SELECT * FROM lists}}"}'
        : '{}',
  })),
  ...['/', '/probes/liveness', '/probes/readiness', '/metrics'].map((path) => ({
    method: 'GET',
    path,
    headers: {},
    body: null,
  })),
];

function textOf({ method, path, headers, body }: Recording): string {
  const length = body === null ? {} : { 'content-length': 'auto' };
  const lines = Object.entries({ host: 'x', connection: 'close', ...headers, ...length });
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
}

const strange = [
  ...[
    'null',
    '[]',
    '{}',
    '1e999',
    '-1',
    '""',
    '"\\ud800"',
    '9007199254740993',
    'true',
    '[[[[]]]]',
    '{"__proto__":{}}',
  ],
  ...[
    '\r\n',
    '\0',
    '%00',
    '%zz',
    '..',
    '?a=1&a=2',
    'chunked',
    'gzip',
    'application/yaml',
    'HEAD',
    'OPTIONS',
    'Bearer ',
  ],
  ...[
    'Basic eDp5',
    '0',
    '18446744073709551616',
    'x'.repeat(300),
    'Expect: 100-continue\r\n',
    'é',
    '\ud83d\ude00',
  ],
];

function mutate(input: Buffer, random: Random, seeds: readonly Buffer[]): Buffer {
  const text = input.toString('latin1');
  const changed = random.choose([
    [5, () => putToken(text, random)],
    [3, () => crossed(text, random.pick(seeds).toString('latin1'), random)],
    [2, () => changeBytes(input, random).toString('latin1')],
  ]);
  return Buffer.from(changed, 'latin1').subarray(0, mostBytes);
}

function putToken(text: string, random: Random): string {
  const tokens = text.match(/"[^"]*"|[\w./-]+|\r\n|\s|[^\w\s]/g) ?? [];
  const at = random.int(tokens.length);
  const change = random.choose<() => void>([
    [3, () => () => void tokens.splice(at, 1, Buffer.from(random.pick(strange)).toString('latin1'))],
    [1, () => () => void tokens.splice(at, 1 + random.int(3))],
    [1, () => () => void tokens.splice(at, 0, ...tokens.slice(at, at + random.int(12)))],
    [1, () => () => void tokens.splice(at, 0, random.pick(tokens))],
  ]);
  change();
  return tokens.join('');
}

/** Swaps the bodies of two requests, and returns one of the results. */
function crossed(one: string, other: string, random: Random): string {
  const [head = '', body = ''] = one.split('\r\n\r\n');
  const [otherHead = '', otherBody = ''] = other.split('\r\n\r\n');
  return random.chance(0.5) ? `${head}\r\n\r\n${otherBody}` : `${otherHead}\r\n\r\n${body}`;
}

async function attempt(service: FuzzedService, input: Buffer): Promise<Outcome> {
  const request = toRequest(service, input);
  const hasToken = [service.adminToken, service.userToken].some((each) => request.includes(each));
  const answer = { ...(await exchange(service.port, request)), sent: request.length, hasToken };
  const [complaint] = service.complaints();
  if (complaint !== undefined)
    return { feature: 'log', failure: `the service complains of itself: ${complaint}` };
  return judgeAnswer(answer);
}

function toRequest({ adminToken, userToken }: FuzzedService, input: Buffer): Buffer {
  const text = input
    .toString('latin1')
    .replaceAll(placeholders.admin, adminToken)
    .replaceAll(placeholders.user, userToken);
  const body = text.split('\r\n\r\n').slice(1).join('\r\n\r\n');
  return Buffer.from(text.replace('content-length: auto', `content-length: ${body.length}`), 'latin1');
}

/**
 * Sends the request, and reads until the connection is closed or, once an answer has begun, until no data arrives for a
 * moment.
 */
function exchange(port: number, request: Buffer): Promise<Pick<Exchange, 'bytes' | 'end'>> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const finish = (end: Exchange['end']): void => {
      clearTimeout(quiet);
      clearTimeout(late);
      socket.destroy();
      resolve({ bytes: Buffer.concat(chunks), end });
    };
    const late = setTimeout(() => finish('late'), patience);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      clearTimeout(quiet);
      quiet = setTimeout(() => finish('quiet'), quietAfter);
    });
    socket.on('error', () => {});
    socket.on('close', () => finish('closed'));
    // This closes our half of the connection, so that the service does not wait for an announced body that is not sent.
    socket.end(request);
  });
}
