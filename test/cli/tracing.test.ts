import { describe, expect, test } from 'vitest';
import type { SyncQuestion, SyncResult } from '../../client/api/synced.ts';
import { headwater, type RunEnd, type Surroundings } from '../support/cli/cliWorld.ts';

const files = {
  'sync.yaml': `config: { edition: 3 }
with:
  mine: SELECT id FROM lists WHERE owner_id = auth.user_id()
streams:
  lists:
    auto_subscribe: true
    query: SELECT id, name FROM lists WHERE id IN mine AND archived = 0
  notes:
    query: SELECT id, text FROM notes WHERE list_id = subscription.parameter('list')
`,
  'rows.json': JSON.stringify({
    lists: [
      { id: 'l1', owner_id: 'ada', name: 'A', archived: 0 },
      { id: 'l2', owner_id: 'ada', name: 'B', archived: 1 },
      { id: 'l3', owner_id: 'bob', name: 'C', archived: 0 },
    ],
    notes: [{ id: 'n1', list_id: 9007199254740993n.toString(), text: 'x' }],
  }),
};

async function say(...args: string[]) {
  const { code, out, err } = await headwater(args, { files });
  return { code, out, err };
}

describe('explain row', () => {
  test('shows a negated condition with its NOT', async () => {
    const sync =
      'config: { edition: 3 }\nstreams:\n  x: { query: SELECT id FROM lists WHERE NOT archived }\n';
    const { out } = await headwater(
      ['explain', 'row', '--table', 'lists', '--row', '{"id": "1", "archived": 1}', 'sync.yaml'],
      { files: { 'sync.yaml': sync } },
    );
    expect(out).toContain('  is not synced: NOT archived does not hold, with archived = 1');
  });

  test('names the condition that excludes a row, and the values that it read', async () => {
    const row = '{"id": "l2", "owner_id": "ada", "archived": 1}';
    const { code, out } = await say('explain', 'row', '--table', 'lists', '--row', row);
    expect(code).toBe(1);
    expect(out).toContain('  is not synced: archived = 0 does not hold, with archived = 1');
  });

  test('keeps all digits of an integer', async () => {
    const row = '{"id": "n", "list_id": 9007199254740993, "text": "x"}';
    const { out } = await say('explain', 'row', '--table', 'notes', '--row', row);
    expect(out.join()).toContain('notes|0[9007199254740993]');
  });

  test('distinguishes tables of other schemas', async () => {
    const { out } = await say('explain', 'row', '--table', 'app.lists', '--row', '{}');
    expect(out).toEqual(['No query of sync.yaml reads app.lists.']);
  });

  test.each([
    [['--row', '{}'], 'Specify the row with --table TABLE and --row JSON.'],
    [
      ['--table', 'lists', '--row', '[]'],
      `--row must be a JSON object, such as '{"id": "1"}', or @FILE for a file that contains one.`,
    ],
    [['--table', 'lists', '--row', '@gone'], 'Cannot read gone: there is no such file.'],
  ])('%j is refused', async (args, sentence) => {
    expect(await say('explain', 'row', ...args)).toEqual({ code: 2, out: [], err: [sentence] });
  });

  const beds = {
    'sync.yaml': `config:
  edition: 3
streams:
  beds:
    query: SELECT * FROM beds WHERE plot = subscription.parameter('plot') AND plot IN (SELECT plot FROM members WHERE who = auth.user_id())
  own:
    auto_subscribe: true
    query: SELECT * FROM beds WHERE owner = auth.user_id() AND NOT archived
`,
  };
  const forUser = (row: string, ...more: string[]) =>
    headwater(['explain', 'row', '--table', 'beds', '--row', row, '--user', 'ada', ...more], { files: beds });

  test.each([
    ['of no table', '{}'],
    ['of another table', '{"beds": [{"id": "2", "plot": "0002", "owner": "ada", "archived": 0}]}'],
    ['of a misspelt table', '{"memberz": [{"id": "m", "plot": "0002", "who": "ada"}]}'],
  ])('does not claim that a user lacks a row if rows %s were given', async (_, rows) => {
    const more = ['--rows', rows, '--subscribe', 'beds={"plot": "0002"}'];
    const row = '{"id": "1", "plot": "0002", "owner": "bob", "archived": 0}';
    expect(await forUser(row, ...more)).toMatchObject({
      code: 2,
      out: expect.arrayContaining([
        'Whether ada gets this row depends on other rows. Provide them with --rows.',
      ]),
    });
    const { out } = await forUser(row, ...more, '--json');
    const { has, absences } = JSON.parse(out.join('\n')) as { has: null; absences: { kind: string }[] };
    expect([has, ...absences.map(({ kind }) => kind)]).toEqual([null, 'unknown', 'other values']);
    const preview = await headwater(['preview', '--user', 'ada', ...more], { files: beds });
    expect(preview.out.join('\n')).toContain('because no rows were provided');
  });

  test('claims that a user lacks a row if the looked-up table was given without rows', async () => {
    const more = ['--rows', '{"members": []}', '--subscribe', 'beds={"plot": "0002"}'];
    const row = '{"id": "1", "plot": "0002", "owner": "bob", "archived": 0}';
    expect(await forUser(row, ...more)).toMatchObject({ code: 1 });
  });

  test('names the deciding columns that a row does not have', async () => {
    const lacks = (columns: string, of: string) =>
      `The row has no value for ${columns} of ${of}, which was therefore taken as NULL.`;
    const given = await headwater(['explain', 'row', '--table', 'beds', '--row', '{"id": "1"}'], {
      files: beds,
    });
    expect(given.err).toEqual([lacks('plot, archived, owner', 'beds')]);
    const inTags =
      'config: { edition: 3 }\nstreams:\n  s: { query: SELECT * FROM beds WHERE auth.user_id() IN tags }\n';
    const listed = await headwater(['explain', 'row', '--table', 'beds', '--row', '{"id": "1"}'], {
      files: { 'sync.yaml': inTags },
    });
    expect(listed.err).toEqual([lacks('tags', 'beds')]);
    const row = '{"plot": "1", "owner": "bob", "archived": null}';
    const { err } = await forUser(row, '--rows', '{"members": [{"plot": "1", "user": "ada"}]}');
    expect(err).toEqual([lacks('who', 'members')]);
  });

  test('shows whether each condition holds for a user, with the values of both sides', async () => {
    const rows = '{"members": [{"id": "m", "plot": "0002", "who": "ada"}]}';
    const more = ['--rows', rows, '--subscribe', 'beds={"plot": "nonsense"}'];
    expect(
      await forUser('{"id": "1", "plot": "0002", "owner": "bob", "archived": 0}', ...more),
    ).toMatchObject({
      code: 1,
      out: [
        'ada does not get this row.',
        'beds sync.yaml:5:37',
        '  ✓ subscribes to beds',
        "  ✗ plot = subscription.parameter('plot') this row: '0002' · ada: 'nonsense'",
        "  ✓ plot IN (SELECT plot FROM members WHERE who = auth.user_id()) this row: '0002' · ada: '0002'",
        'own sync.yaml:8:37',
        "  ✗ owner = auth.user_id() this row: 'bob' · ada: 'ada'",
        '  ✓ NOT archived archived is 0',
      ],
    });
  });

  test.each([
    [
      'the lookup decides',
      '{"id": "1", "plot": "2", "archived": 1}',
      'Whether ada gets this row depends on other rows. Provide them with --rows.',
      "  ? plot IN (SELECT plot FROM members WHERE who = auth.user_id()) this row: '2' · ada: not looked up",
    ],
    [
      'no lookup could help',
      '{"id": "1", "plot": "3", "archived": 1, "owner": "bob"}',
      'ada does not get this row.',
      "  ✗ plot = subscription.parameter('plot') this row: '3' · ada: '2'",
    ],
  ])(
    'does not assume that rows are missing because they were not provided: %s',
    async (_, row, verdict, line) => {
      const { out, code } = await forUser(row, '--subscribe', 'beds={"plot": "2"}');
      expect(out[0]).toBe(verdict);
      expect(out).toContain(line);
      expect(code).toBe(verdict.startsWith('Whether') ? 2 : 1);
    },
  );

  test('does not claim that a user lacks a row if one of several subscriptions may send it', async () => {
    const more = ['--subscribe', 'beds={"plot": "9"}', '--subscribe', 'beds={"plot": "2"}'];
    expect(await forUser('{"id": "1", "plot": "2", "owner": "bob", "archived": 0}', ...more)).toMatchObject({
      code: 2,
      out: expect.arrayContaining([expect.stringMatching(/^ {2}✓ plot = subscription/)]),
    });
  });

  test('needs no other rows for a definite answer if the client does not subscribe', async () => {
    expect(await forUser('{"id": "1", "plot": "2", "owner": "bob"}')).toMatchObject({
      code: 1,
      out: ['ada does not get this row.', ...new Array(7).fill(expect.any(String))],
    });
  });

  test.each([
    [
      ['--subscribe', 'beds={"plot": "2"}'],
      'Whether the user gets this row depends on other rows. Provide them with --rows.',
    ],
    [['--parameters', '{"plot": "2"}'], 'the user does not get this row.'],
  ])('explains the row for a client that is described by %j', async (options, verdict) => {
    const args = ['explain', 'row', '--table', 'beds', '--row', '{"id": "1", "plot": "2"}', ...options];
    expect((await headwater(args, { files: beds })).out[0]).toBe(verdict);
  });

  test('refuses rows for lookups if no client is described', async () => {
    const args = ['explain', 'row', '--table', 'beds', '--row', '{"id": "1"}', '--rows', '{}'];
    expect(await headwater(args, { files: beds })).toMatchObject({
      code: 2,
      err: [
        '--rows provides the rows for the lookups of a client. Also describe the client with --user or --claims.',
      ],
    });
  });

  test('distinguishes a row that a user gets from a row that is only looked up', async () => {
    expect(await forUser('{"id": "1", "owner": "ada", "archived": 0}')).toMatchObject({
      code: 0,
      out: ['ada gets this row.'],
    });
    const member = ['explain', 'row', '--table', 'members', '--row', '{"id": "m"}', '--user', 'ada'];
    expect(await headwater(member, { files: beds })).toMatchObject({
      code: 1,
      out: ['No query syncs this row. It is only looked up, to decide who gets other rows.'],
    });
  });

  test('explains no row if the config has an error', async () => {
    const wrong = { 'sync.yaml': 'config: { edition: 3 }\nstreams:\n  x: { query: SELECT FROM }\n' };
    const args = ['explain', 'row', '--table', 'lists', '--row', '{}'];
    expect(await headwater(args, { files: wrong })).toMatchObject({
      code: 1,
      err: ['sync.yaml has errors. See headwater validate sync.yaml.'],
    });
  });
});

describe('preview', () => {
  test('follows lookups, and shows the rows', async () => {
    const { code, out } = await say('preview', '--user', 'ada', '--rows', '@rows.json', '--json');
    expect(code).toBe(0);
    const { buckets } = JSON.parse(out.join('\n')) as { buckets: { bucket: string; rows: object[] }[] };
    expect(buckets.flatMap(({ rows }) => rows)).toEqual([
      { table: 'lists', id: 'l1', data: { id: 'l1', name: 'A' } },
    ]);
  });

  test('explains why a user gets nothing', async () => {
    const { code, out } = await say('preview', '--user', 'eve', '--rows', '@rows.json');
    expect(code).toBe(1);
    expect(out[0]).toContain('lists returns no buckets, because no matching row was found');
  });

  test('uses the parameters of a subscription', async () => {
    const args = [
      '--user',
      'ada',
      '--subscribe',
      'notes={"list":"9007199254740993"}',
      '--rows',
      '@rows.json',
    ];
    const { out } = await say('preview', ...args);
    expect(out).toContain('  notes {"id":"n1","text":"x"}');
  });

  test('refuses an unknown stream', async () => {
    const { code, err } = await say('preview', '--user', 'ada', '--subscribe', 'nots');
    expect({ code, err }).toEqual({
      code: 2,
      err: ['There is no stream nots in sync.yaml. Did you mean notes?'],
    });
  });

  test('refuses rows that are not a list', async () => {
    const { err } = await say('preview', '--rows', '{"lists": {}}');
    expect(err).toEqual(['--rows must contain a list of rows for lists: {"lists": [{"id": "1"}]}.']);
  });
});

describe('preview of a running service', () => {
  const config = {
    'service.yaml': `client_auth:
  audience: [dev]
  jwks: { keys: [{ kty: oct, alg: HS256, kid: dev, k: c2VjcmV0 }] }
`,
  };
  const synced: SyncResult = {
    opId: '4',
    isWhole: true,
    problems: [],
    unknownStreams: [],
    buckets: [
      {
        name: '1#lists|0["ada"]',
        priority: 3,
        reasons: [{ stream: 'lists', subscription: 'default' }],
        rows: [{ table: 'lists', id: 'l1', data: '{"id":"l1","n":9007199254740993}' }],
      },
    ],
  };

  /** Returns the requests, and the result. */
  async function ask(args: readonly string[], answer: Partial<SyncResult> = {}) {
    const asked: SyncQuestion[] = [];
    const api = {
      syncOnce: async (question: SyncQuestion) => {
        asked.push(question);
        return { ...synced, ...answer };
      },
    };
    const service = ['--service', 'http://sync.example'];
    return { asked, ...(await headwater(['preview', ...service, ...args], { files: config, api })) };
  }

  test('shows the rows that the service sends to the client, with all digits', async () => {
    const { code, out } = await ask(['--user', 'ada']);
    expect(out).toEqual([
      '1#lists|0["ada"] because of lists, auto-subscribed',
      '  lists {"id":"l1","n":9007199254740993}',
    ]);
    expect(code).toBe(0);
  });

  test('sends a token of the user, signed with the key of the service config', async () => {
    const { err } = await ask(['--user', 'ada', '--claims', '{"role": "admin", "org": 7}']);
    const [, claims = ''] = /with ([\w-]+)\.([\w-]+)\./.exec(err.join())?.slice(1) ?? [];
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      sub: 'ada',
      role: 'admin',
      org: 7,
      aud: ['dev'],
    });
  });

  test('sends the token, parameters and subscriptions of its options', async () => {
    const more = ['--parameters', '{"a": 1}', '--subscribe', 'todos={"list": "1"}', '--subscribe', 'notes'];
    const { asked, err } = await ask(['--token', 'a.b.c', ...more]);
    expect(err).toContain('asks http://sync.example with a.b.c');
    expect(asked).toEqual([
      {
        parameters: { a: 1 },
        subscriptions: [
          { stream: 'todos', parameters: { list: '1' } },
          { stream: 'notes', parameters: null },
        ],
      },
    ]);
  });

  describe('finds the service', () => {
    const live = (files: Readonly<Record<string, string>>, around: Surroundings = {}, ...args: string[]) => {
      const api = { syncOnce: async () => synced };
      return headwater(['preview', '--live', '--user', 'ada', ...args], {
        files: { ...config, ...files },
        api,
        ...around,
      });
    };
    const address = ({ err }: RunEnd) => /asks (\S+) with/.exec(err.join('\n'))?.[1];

    test('from the service config', async () => {
      expect(address(await live({}))).toBe('http://127.0.0.1:8080');
    });

    test('from the project in another folder', async () => {
      const files = { 'infra/service.yaml': `${config['service.yaml']}port: 9090\n` };
      const named = ['--directory', 'infra', '--config', 'infra/service.yaml'];
      expect(address(await live(files, {}, ...named))).toBe('http://127.0.0.1:9090');
    });

    test('from a variable that the user has set', async () => {
      const env = { POWERSYNC_URL: 'https://sync.example' };
      expect(address(await live({}, { env }))).toBe('https://sync.example');
    });

    test('on another machine only after a question, if a file in the folder names the address', async () => {
      const files = { 'powersync/cli.yaml': 'type: self-hosted\napi_url: https://evil.example\n' };
      const { code, err } = await live(files);
      expect(err.join('\n')).toContain('names https://evil.example, which is not this machine');
      expect(err.join('\n')).not.toContain('asks https://evil.example');
      expect(code).toBe(2);
    });
  });

  test.each<[string, Partial<SyncResult>, RegExp]>([
    ['nothing', { buckets: [] }, /has no buckets/],
    ['an unknown stream', { unknownStreams: ['toods'] }, /no stream toods/],
    ['a subscription that fails', { problems: ['too many'] }, /The service reports: too many/],
    ['an incomplete result', { isWhole: false }, /Reading stopped before the last row/],
  ])('exits with 1 and an explanation for %s', async (_, answer, why) => {
    const { code, out } = await ask(['--user', 'ada'], answer);
    expect([code, out.join()]).toEqual([1, expect.stringMatching(why)]);
  });

  test.each([
    [['--user', 'ada', 'sync.yaml'], /FILE and --rows cannot be combined with/],
    [['--user', 'ada', '--rows', '{}'], /FILE and --rows cannot be combined with/],
    [[], /No user specified\./],
    [['--user', 'ada', '--parameters', '{"a": 9007199254740993}'], /too large to be sent/],
  ])('%j is refused', async (args, why) => {
    const { code, err } = await ask(args);
    expect([code, err.join()]).toEqual([2, expect.stringMatching(why)]);
  });
});
