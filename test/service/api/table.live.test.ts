/** Every endpoint in every state, with valid and invalid requests: status, code and body. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresPrograms } from '../../support/processes/postgres.ts';
import { enter, nextConfig, type Stage, type StateName, states, syncConfig, token } from './states.ts';

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly type: string | null;
}

interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** `yaml` also accepts JSON. */
  readonly body: 'none' | 'json' | 'yaml';
  /** A valid body. */
  readonly good?: string;
  /** The required property, without which a body is refused. Absent if nothing is required. */
  readonly required?: string;
  readonly open?: true;
}

const endpoints = {
  deploy: {
    method: 'POST',
    path: '/api/sync-rules/v1/deploy',
    body: 'yaml',
    good: 'a: [',
    required: 'content',
  },
  validate: {
    method: 'POST',
    path: '/api/sync-rules/v1/validate',
    body: 'yaml',
    good: syncConfig,
    required: 'content',
  },
  current: { method: 'GET', path: '/api/sync-rules/v1/current', body: 'none' },
  reprocess: { method: 'POST', path: '/api/sync-rules/v1/reprocess', body: 'json', good: '{}' },
  diagnostics: {
    method: 'POST',
    path: '/api/admin/v1/diagnostics',
    body: 'json',
    good: '{"sync_rules_content":true}',
  },
  schema: { method: 'POST', path: '/api/admin/v1/schema', body: 'json', good: '{}' },
  'admin validate': {
    method: 'POST',
    path: '/api/admin/v1/validate',
    body: 'json',
    required: 'sync_rules',
    good: JSON.stringify({ sync_rules: syncConfig }),
  },
  'admin reprocess': { method: 'POST', path: '/api/admin/v1/reprocess', body: 'json', good: '{}' },
  copy: {
    method: 'POST',
    path: '/api/admin/v1/copy',
    body: 'json',
    required: 'action',
    good: '{"action":"resume"}',
  },
  compact: { method: 'POST', path: '/api/admin/v1/compact', body: 'json', good: '{}' },
  'execute-sql': {
    method: 'POST',
    path: '/api/admin/v1/execute-sql',
    body: 'json',
    required: 'sql',
    good: '{"sql":{"query":"SELECT 1","args":[]}}',
  },
  startup: { method: 'GET', path: '/probes/startup', body: 'none', open: true },
  liveness: { method: 'GET', path: '/probes/liveness', body: 'none', open: true },
  readiness: { method: 'GET', path: '/probes/readiness', body: 'none', open: true },
  metrics: { method: 'GET', path: '/metrics', body: 'none', open: true },
} as const satisfies Record<string, Endpoint>;

type EndpointName = keyof typeof endpoints;

const stateNames = Object.keys(states) as StateName[];
const endpointNames = Object.keys(endpoints) as EndpointName[];
const stages = new Map<StateName, Stage>();

describe.skipIf(postgresPrograms.kind === 'missing')('the API', () => {
  beforeAll(async () => {
    for (const name of stateNames) stages.set(name, await enter(name));
  });

  afterAll(async () => {
    for (const { close } of stages.values()) await close();
  });

  describe.each(stateNames)('with %s', (state) => {
    // Endpoints that change the state are tested last.
    test.each(endpointNames.filter((name) => !/reprocess/.test(name)).map((name) => [name]))(
      'answers %s',
      async (name) => {
        expect(await askWell(state, name)).toEqual(expected(state, name));
      },
    );

    const guarded = endpointNames.filter((name) => !('open' in endpoints[name]));

    test.each(guarded)('refuses %s without a token, and with a wrong one', async (name) => {
      for (const authorization of [
        undefined,
        'Bearer wrong',
        'Basic abc',
        `bearer ${token}`,
        `Bearer ${token} x`,
      ]) {
        const answer = await ask(state, name, {
          body: goodBody(name),
          ...(authorization && { authorization }),
        });
        expect(answer).toEqual(errorOf(401, 'SVC_S2101'));
      }
    });

    // If no token is valid, no answer depends on the body.
    const posts =
      state === 'no tokens configured' ? [] : guarded.filter((name) => endpoints[name].method === 'POST');

    test.each(posts)('refuses a body of another type for %s', async (name) => {
      const other = await ask(state, name, { body: 'x', type: 'application/xml' });
      expect(other).toEqual(errorOf(415, expect.any(String)));
      if (!('required' in endpoints[name])) return;
      // The text is read, but contains no parameters.
      const text = await ask(state, name, { body: 'x', type: 'text/plain' });
      expect(text).toEqual(errorOf(400, 'SVC_S2001'));
    });

    test.each(posts.filter((name) => 'required' in endpoints[name]))(
      'names the missing property for %s',
      async (name) => {
        const empty = await ask(state, name, { body: '{}', type: 'application/json' });
        expect(empty).toEqual(errorOf(400, 'SVC_S2001'));
        const { details } = (empty.body as { error: { details: string } }).error;
        expect(JSON.parse(details)[0]).toContain((endpoints[name] as Endpoint).required);
      },
    );

    test.each(posts)('refuses broken JSON, an empty body and a huge one for %s', async (name) => {
      const broken = await ask(state, name, { body: '{"a":', type: 'application/json' });
      expect(broken).toEqual(errorOf(400, expect.any(String)));
      const empty = await ask(state, name, { body: '', type: 'application/json' });
      expect(empty).toEqual(errorOf(400, expect.any(String)));
      const huge = await ask(state, name, {
        body: `{"a":"${'x'.repeat(2 << 20)}"}`,
        type: 'application/json',
      });
      expect(huge).toEqual(errorOf(413, expect.any(String)));
    });

    test.each(posts.filter((name) => endpoints[name].body === 'yaml'))(
      'refuses 20 MB of YAML for %s',
      async (name) => {
        const huge = await ask(state, name, { body: `# ${'x'.repeat(20 << 20)}`, type: 'application/yaml' });
        expect(huge).toEqual(errorOf(413, expect.any(String)));
      },
    );

    test.each(endpointNames)('knows %s by its exact path and method only', async (name) => {
      const { method, path } = endpoints[name];
      const other = method === 'GET' ? 'POST' : 'GET';
      for (const [verb, place] of [
        [other, path],
        ['DELETE', path],
        [method, `${path}/`],
        [method, path.toUpperCase()],
      ]) {
        const answer = await fetch(`${urlOf(state)}${place}`, {
          method: verb as string,
          headers: authorized,
        });
        expect(await read(answer)).toEqual(errorOf(404, 'SVC_S2002'));
      }
    });

    test('still answers', async () => {
      expect((await askWell(state, 'liveness')).status).toBe(200);
    });

    test.each(['reprocess', 'admin reprocess'] as const)('answers %s', async (name) => {
      expect(await askWell(state, name)).toEqual(expected(state, name));
    });
  });

  test('refuses to reprocess a stream that the active config does not have, by its name', async () => {
    const answer = await ask('active', 'reprocess', {
      body: '{"streams":["orders"]}',
      type: 'application/json',
    });
    expect(answer).toEqual(errorOf(422, 'SVC_S4109'));
    expect(JSON.stringify(answer.body)).toContain('orders');
  });

  test('refuses fields that reprocess does not know', async () => {
    const answer = await ask('active', 'reprocess', { body: '{"a":1}', type: 'application/json' });
    expect(answer).toEqual(errorOf(400, 'SVC_S2001'));
  });

  test.each(['', ' ', 'a%0Ab', 'a'.repeat(101)])('refuses %j as the name of a user', async (name) => {
    const { path } = endpoints.deploy;
    const response = await fetch(`${urlOf('active')}${path}?deployed_by=${name}`, {
      method: 'POST',
      headers: { ...authorized, 'content-type': 'application/yaml' },
      body: nextConfig,
    });
    const answer = await read(response);
    expect(answer).toEqual(errorOf(400, 'SVC_S2001'));
    expect(JSON.stringify(answer.body)).toContain('must be a name of at most 100 visible characters.');
  });

  test('reports every reason why a config is not deployed, with its place', async () => {
    const body =
      'config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT * FROM\n  b:\n    query: SELECT nope(x) FROM t\n';
    const answer = await ask('nothing deployed', 'deploy', { body, type: 'application/yaml' });
    expect(answer).toEqual(errorOf(422, 'SVC_R0001'));
    const { details } = (answer.body as { error: { details: string } }).error;
    expect(details).toMatch(/^Line 5, column \d+: .+, Line 7, column \d+: /);
  });
});

const authorized = { authorization: `Bearer ${token}` };

const typeOf = { none: undefined, json: 'application/json', yaml: 'application/yaml' } as const;

function goodBody(name: EndpointName): { readonly text?: string; readonly type?: string } {
  const { good, body } = endpoints[name] as Endpoint;
  const type = typeOf[body];
  return { ...(good !== undefined && { text: good }), ...(type !== undefined && { type }) };
}

function askWell(state: StateName, name: EndpointName): Promise<Answer> {
  return ask(state, name, { body: goodBody(name), authorization: authorized.authorization });
}

interface Question {
  readonly body?: string | ReturnType<typeof goodBody>;
  readonly type?: string;
  readonly authorization?: string;
}

/** Asks with the token, unless the question has a good body. Then only the given headers are sent. */
async function ask(state: StateName, name: EndpointName, question: Question): Promise<Answer> {
  const { method, path } = endpoints[name];
  const { text, type } =
    typeof question.body === 'string' ? { text: question.body, type: question.type } : (question.body ?? {});
  const authorization = typeof question.body === 'string' ? authorized.authorization : question.authorization;
  const answer = await fetch(`${urlOf(state)}${path}`, {
    method,
    headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
    ...(method === 'POST' && { body: text ?? null }),
  });
  return read(answer);
}

async function read(answer: Response): Promise<Answer> {
  const text = await answer.text();
  const type = answer.headers.get('content-type');
  return { status: answer.status, body: type?.includes('json') ? JSON.parse(text) : text, type };
}

function urlOf(state: StateName): string {
  return stages.get(state)?.service.url ?? '';
}

const jsonType = 'application/json; charset=utf-8';

function errorOf(status: number, code: unknown, details?: unknown): Answer {
  const error = { code, status, name: expect.any(String), description: expect.any(String) };
  const body = { error: details === undefined ? expect.objectContaining(error) : { ...error, details } };
  return { status, body, type: jsonType };
}

const ok = (body: unknown): Answer => ({ status: 200, body, type: jsonType });
const data = (inner: unknown): Answer => ok({ data: inner });

const slot = expect.stringMatching(/^powersync_\d+_[0-9a-f]{4}$/);
const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const lists = {
  schema: 'public',
  name: 'lists',
  replication_id: ['id'],
  data_queries: true,
  parameter_queries: false,
  errors: [],
};
const describedAs = (query: string) => ({
  valid: true,
  bucket_definitions: ['stream lists'],
  source_tables: [{ schema: 'public', pattern: 'lists', wildcard: false, table: lists }],
  data_tables: { lists: [{ query }] },
  diagnostics: [],
});
const described = describedAs('SELECT * FROM lists WHERE owner = auth.user_id()');
const describedNext = describedAs("SELECT * FROM lists WHERE owner = auth.user_id() AND id <> ''");
const unreachable = { valid: false, errors: [expect.any(String)], diagnostics: [] };
const numberOf: Readonly<Record<string, number>> = { [syncConfig]: 1, [nextConfig]: 2 };
const inDeployment = (content: string, verdict: object) => ({
  slot_name: slot,
  config_number: numberOf[content],
  content,
  ...verdict,
});

/** Returns the status of a deployment in diagnostics. */
function status(content: string, done: boolean): unknown {
  return {
    config_number: numberOf[content],
    content,
    connections: [
      expect.objectContaining({
        id: 'default',
        tag: 'default',
        slot_name: slot,
        initial_replication_done: done,
        ...(done && { last_lsn: expect.stringMatching(/^[0-9A-F]{8}\/[0-9A-F]{8}$/) }),
        ...(done && { last_checkpoint_ts: stamp, last_keepalive_ts: stamp }),
        tables: [expect.objectContaining(lists)],
      }),
    ],
    errors: done ? [] : maybeWaiting,
  };
}

/** Accepts the reason that keeps a deployment pending here, which is reported after a while. */
const maybeWaiting = expect.toSatisfy((errors: readonly { readonly message: string }[]) =>
  errors.every(({ message }) => message.includes('pg_stat_activity')),
);

const probe = ok({ ready: true, started: true, touched_at: stamp });
const invalid = errorOf(422, 'SVC_R0001', expect.stringMatching(/^Line 1, column \d+: /));

/** The facts that are the same in all states but those named below. */
const service = { name: 'Headwater', version: expect.any(String) };

const usually: Readonly<Record<EndpointName, Answer>> = {
  deploy: invalid,
  validate: ok(described),
  current: errorOf(422, 'SVC_S4104'),
  reprocess: errorOf(422, 'SVC_S4104'),
  copy: errorOf(409, 'SVC_S4110'),
  compact: data({ compacted: expect.any(Array) }),
  diagnostics: data({ service, connections: [connection()] }),
  schema: data({
    connections: [
      {
        id: 'default',
        tag: 'default',
        schemas: [
          {
            name: 'public',
            tables: [
              {
                name: 'lists',
                columns: ['id', 'owner'].map((name) => ({
                  name,
                  sqlite_type: 2,
                  internal_type: 'text',
                  type: 'text',
                  pg_type: 'text',
                  nullable: name !== 'id',
                })),
                triggers: [],
              },
            ],
          },
        ],
      },
    ],
    defaultConnectionTag: 'default',
    defaultSchema: 'public',
  }),
  'admin validate': data({
    connections: [
      { id: 'default', tag: 'default', slot_name: '', initial_replication_done: false, tables: [lists] },
    ],
    errors: [],
  }),
  'admin reprocess': errorOf(422, 'SVC_S4104'),
  'execute-sql': data({
    success: false,
    results: { columns: [], rows: [] },
    error: 'SQL querying is not enabled',
  }),
  startup: probe,
  liveness: probe,
  readiness: probe,
  metrics: {
    status: 200,
    body: expect.stringContaining('powersync_'),
    type: expect.stringContaining('text/plain'),
  },
};

function connection(): unknown {
  const postgres_uri = expect.stringMatching(/^postgresql:\/\/127\.0\.0\.1:\d+\/\w+$/);
  return { id: 'default', postgres_uri, connected: true, errors: [] };
}

// A new copy of the same config keeps its number.
const reprocessed = data({ slot_name: slot, config_number: 1 });
const busy = errorOf(409, 'SVC_S4106');
const copying = data({ slot_name: slot, config_number: expect.any(Number), state: 'copying' });
const lost = { level: 'fatal', message: expect.stringContaining('cannot be reached'), ts: stamp };

const otherwise: Readonly<Record<StateName, Partial<Readonly<Record<EndpointName, Answer>>>>> = {
  'nothing deployed': {},
  deploying: {
    reprocess: busy,
    'admin reprocess': busy,
    copy: copying,
    diagnostics: data({
      service,
      connections: [connection()],
      deploying_sync_rules: status(syncConfig, false),
    }),
  },
  active: {
    current: data({ current: inDeployment(syncConfig, described), next: null }),
    diagnostics: data({ service, connections: [connection()], active_sync_rules: status(syncConfig, true) }),
    reprocess: reprocessed,
    // The reprocessing that was requested before has just begun.
    'admin reprocess': expect.toSatisfy(({ status: code }: Answer) => code === 409 || code === 200) as Answer,
  },
  'active and pending': {
    current: data({
      current: inDeployment(syncConfig, described),
      next: inDeployment(nextConfig, describedNext),
    }),
    diagnostics: data({
      service,
      connections: [connection()],
      active_sync_rules: status(syncConfig, true),
      deploying_sync_rules: status(nextConfig, false),
    }),
    reprocess: busy,
    'admin reprocess': busy,
    copy: copying,
  },
  'sync config in a file': {
    deploy: errorOf(422, 'SVC_S4105', expect.stringContaining('sync.yaml')),
    current: data({ current: inDeployment(syncConfig, described), next: null }),
    diagnostics: data({ service, connections: [connection()], active_sync_rules: status(syncConfig, true) }),
    reprocess: reprocessed,
    'admin reprocess': expect.toSatisfy(({ status: code }: Answer) => code === 409 || code === 200) as Answer,
  },
  'no tokens configured': Object.fromEntries(
    endpointNames
      .filter((name) => !('open' in endpoints[name]))
      .map((name) => [name, errorOf(401, 'SVC_S2101')]),
  ),
  'source down': {
    validate: ok(unreachable),
    current: data({ current: inDeployment(syncConfig, unreachable), next: null }),
    diagnostics: data({
      service,
      connections: [
        {
          ...(connection() as object),
          connected: false,
          errors: [{ level: 'fatal', message: expect.any(String) }],
        },
      ],
      active_sync_rules: expect.objectContaining({
        connections: [
          // How far the copy was is known until the next attempt.
          expect.objectContaining({
            tables: [expect.objectContaining({ ...lists, replication_id: [], errors: [lost] })],
          }),
        ],
        errors: expect.arrayContaining([lost]),
      }),
    }),
    schema: errorOf(500, expect.any(String)),
    'admin validate': data({
      connections: [expect.objectContaining({ tables: [{ ...lists, replication_id: [], errors: [lost] }] })],
      errors: [lost],
    }),
    reprocess: reprocessed,
    'admin reprocess': busy,
  },
};

function expected(state: StateName, name: EndpointName): Answer {
  return otherwise[state][name] ?? usually[name];
}
