import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Api, openApi } from '../../../client/api/api.ts';
import { type ApiFailure, type FailureKind, isFailure } from '../../../client/api/failure.ts';
import {
  type ForeignService,
  foreignToken,
  openForeignService,
} from '../../support/processes/foreignService.ts';

const config = 'config:\n  edition: 3\nstreams:\n  lists:\n    query: SELECT * FROM lists\n';
const diagnostics = '/api/admin/v1/diagnostics';

let service: ForeignService;
let apis: Api[];

beforeEach(async () => {
  service = await openForeignService();
  apis = [];
});

afterEach(async () => {
  await Promise.all(apis.map((api) => api.close()));
  await service.close();
});

function connect(endpoint: Partial<Parameters<typeof openApi>[0]> = {}): Api {
  const api = openApi({ url: service.url, token: foreignToken, tokenOrigin: 'a test', ...endpoint });
  apis.push(api);
  return api;
}

describe('A third-party service', () => {
  test('reports the deployed config, with its content on request', async () => {
    service.state.active = { slot: 'powersync_1_a', content: config };
    const api = connect();
    expect((await api.diagnose()).active?.content).toBeUndefined();
    const { active, pending, sources, clients } = await api.diagnose({ content: true, clients: true });
    expect(active).toMatchObject({ slot: 'powersync_1_a', content: config, copied: true, lagBytes: 36528 });
    expect(active?.tables[0]).toMatchObject({ schema: 'public', name: 'lists', keys: ['id'] });
    expect({ pending, clients }).toEqual({ pending: undefined, clients: undefined });
    expect(sources[0]).toMatchObject({ connected: true, uri: 'postgresql://db:5432/source' });
  });

  test('deploys a config, and copies it again on request', async () => {
    const api = connect();
    expect(await api.deploy(config)).toEqual({ slot: 'powersync_1_a1b2' });
    expect(service.state.pending?.content).toBe(config);
    service.activate();
    expect(await api.reprocess()).toEqual({ slot: 'powersync_2_a1b2', isCopiedAgain: true });
  });

  test('reports the problems of a config with their offsets', async () => {
    const verdict = await connect().validate(config.replace('FROM lists', 'FROM lists_gone'));
    expect(verdict).toEqual([
      {
        level: 'warning',
        kind: 'missing',
        message: 'Table "public"."lists_gone" not found.',
        location: { start: 64, end: 74 },
      },
    ]);
  });

  test('returns its schema, which is passed on unchanged', async () => {
    expect(await connect().schema()).toMatchObject({ data: { defaultSchema: 'public' } });
  });

  test('can have an address with a path and a slash at the end', async () => {
    service.instead(`/sync${diagnostics}`, (_, response) => response.end('{"data":{"connections":[]}}'));
    expect(await connect({ url: `${service.url}/sync/` }).diagnose()).toMatchObject({ sources: [] });
  });

  test('reports times on its own clock', async () => {
    service.instead(diagnostics, (_, response) =>
      response.writeHead(200, { date: 'Thu, 01 Jan 2026 00:00:00 GMT' }).end('{"data":{"connections":[]}}'),
    );
    expect((await connect().diagnose()).at).toBe(Date.UTC(2026, 0, 1));
  });
});

describe('A rate', () => {
  const answerOf = (data: object) => (_: unknown, response: ServerResponse) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data }));
  };
  const copyPath = '/api/admin/v1/copy';

  test('prevents the deploy if the service does not support a copy rate', async () => {
    const failure = await failureOf(connect().deploySlowly(config, { rowsPerSecond: 9 }));
    expect(failure.kind).toBe('unsupported');
    expect(failure.message).toMatch(/ does not support a copy rate, so nothing was deployed\. /);
    expect(service.state.pending).toBeUndefined();
  });

  test('is not reported as set if the service ignores it', async () => {
    service.instead(copyPath, answerOf({ slot_name: 's', state: 'copying' }));
    const api = connect();
    const deployed = await failureOf(api.deploySlowly(config, { rowsPerSecond: 9 }));
    expect(deployed.message).toMatch(/ ignores the rate, so it is copying at full speed\.$/);
    const set = await failureOf(api.controlCopy({ action: 'rate', rowsPerSecond: 9 }));
    expect([set.kind, set.message]).toEqual(['unsupported', expect.stringMatching(/ignored the rate\./)]);
    expect(await api.controlCopy({ action: 'rate', rowsPerSecond: null })).toMatchObject({ kind: 'copying' });
  });

  test('can be set while the copy is paused, and the outcome contains both facts', async () => {
    service.instead(copyPath, answerOf({ slot_name: 's', state: 'paused', rate_limit: 9 }));
    const outcome = await connect().controlCopy({ action: 'rate', rowsPerSecond: 9 });
    expect(outcome).toEqual({ kind: 'paused', slot: 's', limit: 9 });
  });

  async function failureOf(asked: Promise<unknown>): Promise<ApiFailure> {
    const failure = await asked.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!isFailure(failure)) throw new Error('it does not fail');
    return failure;
  }
});

describe('Answers with unknown content', () => {
  test.each([
    ['more fields', { connections: [], colour: 'green', active_sync_rules: { shape: 'round' } }],
    [
      'other types',
      { connections: [null, 7, { connected: 'yes' }], active_sync_rules: 12, connected_clients: {} },
    ],
    [
      'tables that are not objects',
      { connections: [], active_sync_rules: { connections: [{ tables: [null, 'lists'] }] } },
    ],
  ])('do not cause a failure: %s', async (_, data) => {
    service.instead(diagnostics, (_request, response) => response.end(JSON.stringify({ data })));
    expect((await connect().diagnose()).sources).toBeInstanceOf(Array);
  });
});

type Answer = Parameters<ForeignService['instead']>[1];

const page: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
};
const status =
  (code: number, body = '', headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) => {
    response.writeHead(code, headers).end(body);
  };
const failure = (code: string, description: string, details?: string) =>
  JSON.stringify({ error: { code, description, details, name: 'ServiceError' } });

const wrong: readonly [string, Answer, FailureKind, RegExp][] = [
  ['a web page', page, 'foreign', /answers with a web page/],
  ['an empty body', status(200), 'foreign', /something other than JSON/],
  ['JSON of another kind', status(200, '{"ok":true}'), 'foreign', /in an unknown format/],
  [
    'a redirect',
    status(302, '', { location: 'https://login.example/x' }),
    'foreign',
    /redirects to login\.example/,
  ],
  ['the 404 of a web server', status(404, 'Not Found'), 'foreign', /There is no sync service/],
  [
    'the 404 of an old service',
    status(404, failure('PSYNC_S2002', 'The path does not exist')),
    'unsupported',
    /too old: it does not support/,
  ],
  ['a 429 without a body', status(429), 'busy', /too many requests/],
  [
    'a service that shuts down',
    status(503, failure('PSYNC_S2003', 'Service temporarily unavailable')),
    'busy',
    /temporarily/,
  ],
  ['the 502 of a proxy', status(502, '<html>Bad Gateway</html>'), 'foreign', /status 502/],
  [
    'an error of the service itself',
    status(500, failure('PSYNC_S2001', 'Something went wrong', 'boom')),
    'failed',
    /wrong: boom/,
  ],
  [
    'a list of errors',
    status(400, failure('PSYNC_S2001', 'Validation failed', '["a is missing"]')),
    'refused',
    /failed: a is missing$/,
  ],
  ['half of an answer', status(200, '{"data":{"connections":[{"id"'), 'lost', /was cut short/],
  [
    'half of an answer whose length is known',
    (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"data":{');
      setImmediate(() => response.destroy());
    },
    'lost',
    /was lost before it answered/,
  ],
  ['a broken connection', (request) => request.socket.destroy(), 'lost', /was lost before it answered/],
];

describe('A failure has a kind and a message', () => {
  test.each(wrong)('%s', async (_, answer, kind, sentence) => {
    service.instead(diagnostics, answer);
    await expect(connect().diagnose()).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(sentence),
    });
  });

  test('a wrong token, whose origin is named but whose value never appears', async () => {
    const token = 'not-this-one';
    const error = await connect({ token, tokenOrigin: 'the variable STAGING' })
      .diagnose()
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({
      kind: 'unauthorized',
      facts: { code: 'S2101' },
      message: expect.stringContaining('the token from the variable STAGING'),
    });
    expect(String((error as Error).stack)).not.toContain(token);
  });

  test('no token', async () => {
    await expect(
      connect({ token: undefined, tokenOrigin: 'the variable NONE' }).diagnose(),
    ).rejects.toMatchObject({
      kind: 'tokenless',
      message: expect.stringContaining('requires a token, but the variable NONE has none'),
    });
  });

  test('a token that cannot be sent', () => {
    expect(() => connect({ token: 'two\nlines' })).toThrow(/The token from a test contains spaces/);
  });

  test('a port without a listener', async () => {
    await expect(connect({ url: 'http://127.0.0.1:1' }).diagnose()).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'http://127.0.0.1:1 cannot be reached: nothing listens there. Is the service running?',
    });
  });

  test('TLS to a service without TLS', async () => {
    await expect(connect({ url: service.url.replace('http:', 'https:') }).diagnose()).rejects.toMatchObject({
      kind: 'untrusted',
      message: expect.stringContaining('does not use TLS at this address: try http://'),
    });
  });

  test('a cancelled call', async () => {
    service.instead(diagnostics, () => {});
    const controller = new AbortController();
    const asked = connect().diagnose({}, controller.signal);
    controller.abort();
    await expect(asked).rejects.toMatchObject({ kind: 'cancelled' });
  });

  test.each(['localhost:8080', 'ftp://a', 'http://user:secret@host', ''])('the invalid address %j', (url) => {
    expect(() => connect({ url })).toThrow(/address/);
    expect(() => connect({ url })).not.toThrow(/secret/);
  });

  test.each([
    [
      'S4105',
      'deploy',
      () => {
        service.state.fromFile = true;
      },
    ],
    ['R0001', 'deploy', () => {}],
    ['S4104', 'reprocess', () => {}],
    [
      'S4106',
      'reprocess',
      () => {
        service.state.pending = { slot: 'powersync_1_a', content: config };
      },
    ],
  ] as const)('the code %s of %s', async (code, method, prepare) => {
    prepare();
    const call = connect()[method] as (content?: string) => Promise<unknown>;
    await expect(call(method === 'deploy' ? 'SELEC ' : undefined)).rejects.toMatchObject({
      kind: 'refused',
      facts: { code },
    });
  });
});
