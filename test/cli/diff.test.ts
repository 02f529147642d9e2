import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changes } from '../../client/cli/diff/lines.ts';
import { planLines } from '../../client/cli/diff/plan.ts';
import { headwater } from '../support/cli/cliWorld.ts';
import { roomsConfig } from '../support/engine/accessTests.ts';

const roomsTests = `config: sync.yaml
users: { ada: { id: u1, claims: { org: acme } } }
rows: { rooms: [{ id: r1, org: acme }] }
tests:
  - { name: own rooms, expect: { ada: { rooms: [r1] } } }
`;

test('a change is shown with three lines around it', () => {
  const before = 'abcdefghij'.split('').join('\n');
  expect(changes(`${before}\n`, `${before.replace('f', 'F')}\n`)).toEqual([
    '@@ -3 +3 @@',
    ...[' c', ' d', ' e', '-f', '+F', ' g', ' h', ' i'],
  ]);
});

test('a line break at the end is a difference', () => {
  expect(changes('a\n', 'a')).toEqual(['@@ -1 +1 @@', '-a', '+a (no line break at the end)']);
});

test('the lines without + are in the old text, and those without - are in the new text', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 7 });
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const lines = changes(`${a.join('\n')}\n`, `${b.join('\n')}\n`).filter(
        (line) => !line.startsWith('@@'),
      );
      const side = (sign: string) => lines.filter((line) => line[0] !== sign).map((line) => line.slice(1));
      // The output has only the lines near a change, so it is empty if nothing has changed.
      if (lines.length === 0) return a.join('\n') === b.join('\n');
      return isWithin(side('+'), a) && isWithin(side('-'), b);
    }),
    { seed: 1, numRuns: 500 },
  );
});

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const line of all.length === 0 ? [''] : all) if (some[at] === line) at += 1;
  return at === some.length;
}

describe('headwater diff', () => {
  const before = roomsConfig.replace(' WHERE org', ' WHERE open = 1 AND org');
  const given = { 'sync.yaml': roomsConfig, 'old.yaml': before, 'rooms.sync-test.yaml': roomsTests };
  const diff = (...args: readonly string[]) =>
    headwater(['diff', ...args, '--before', 'old.yaml', 'sync.yaml'], { files: given });

  test('--access shows who gains rows, with example rows', async () => {
    const { code, out } = await diff('--access');
    expect([code, ...out]).toEqual([
      1,
      'gained  A user with { claims: { org: org1 } } now gets rooms room-1, through the stream rooms, with these rows:',
      '        rooms: [{ id: room-1, org: org1 }]',
      'Proven: there are no other changes.',
    ]);
  });

  test('--rows counts the gained rows among the rows and users of a test file', async () => {
    const { code, out } = await diff('--rows', 'rooms.sync-test.yaml');
    expect([code, ...out]).toEqual([
      1,
      'gained  1 of rooms through the stream rooms (ada r1), among 1 row and 1 user',
    ]);
  });

  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      'rows that cannot be read',
      { 'rooms.sync-test.yaml': roomsTests.replace('{ rooms', '{ from: gone.sql, rooms') },
      /rooms\.sync-test\.yaml has errors/,
    ],
    [
      'a missing config',
      { 'rooms.sync-test.yaml': roomsTests.replace('sync.yaml', 'gone.yaml') },
      /rooms\.sync-test\.yaml has errors/,
    ],
    ['no users', { 'rooms.sync-test.yaml': 'config: sync.yaml\nrows: {}\ntests: []\n' }, /has no users/],
  ])('--rows refuses %s, because nobody would gain or lose anything', async (_, changed, said) => {
    const { code, err } = await headwater(
      ['diff', '--rows', 'rooms.sync-test.yaml', '--before', 'old.yaml', 'sync.yaml'],
      { files: { ...given, ...changed } },
    );
    expect([code, err.join('\n')]).toEqual([2, expect.stringMatching(said)]);
  });

  describe('--rows service', () => {
    const schema = {
      data: {
        defaultSchema: 'public',
        connections: [
          {
            id: 'default',
            tag: 'default',
            schemas: [
              {
                name: 'public',
                tables: [
                  {
                    name: 'rooms',
                    columns: [
                      { name: 'id', type: 'text' },
                      { name: 'org', type: 'text' },
                      { name: 'open', type: 'bool' },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    };
    const rows = [
      { id: 'r1', org: 'acme', open: 0 },
      { id: 'r2', org: 'acme', open: 1 },
    ];
    const ask = (args: readonly string[], count = rows.length) =>
      headwater(['diff', '--rows', 'service', ...args, '--before', 'old.yaml', 'sync.yaml'], {
        files: given,
        env: { POWERSYNC_URL: 'http://127.0.0.1:1' },
        api: {
          schema: async () => schema,
          diagnose: async () => ({ at: 0, sources: [], clients: [{ user: 'u1' }] }),
          query: async (sql) => {
            if (sql.includes('count(*)')) return [{ rows: count }];
            return / OFFSET 0$/.test(sql) ? rows : [];
          },
        },
      });

    test('compares the rows of the source, for the users of a file', async () => {
      const { code, out } = await ask(['--users', 'rooms.sync-test.yaml']);
      expect([code, ...out]).toEqual([
        1,
        'gained  1 of rooms through the stream rooms (ada r1), among 2 rows and 1 user',
      ]);
    });

    test('notes which values of the connected users are not known', async () => {
      const { code, out } = await ask(['--connected']);
      expect([code, out]).toEqual([
        0,
        [
          'No user gains or loses a row, among 2 rows and 1 user.',
          expect.stringMatching(
            /^Note: Services do not report auth\.parameter\('org'\) of connected clients/,
          ),
        ],
      ]);
    });

    test('notes that it has not read all rows', async () => {
      const { out } = await ask(['--users', 'rooms.sync-test.yaml'], 5_000);
      expect(out.at(-1)).toMatch(/^Note: Only 2 of the 5,000 rows of rooms were read/);
    });

    test.each([
      [[], /^No users specified\./],
      [['--users', 'rooms.sync-test.yaml', '--connected'], /not both/],
      [['--users', 'sync.yaml'], /sync\.yaml has errors/],
    ])('needs exactly one valid source of users: %j', async (args, said) => {
      const { code, err } = await ask(args);
      expect([code, err.at(-1)]).toEqual([2, expect.stringMatching(said)]);
    });
  });

  test('finds no changes between a config and itself, and exits with 0', async () => {
    const { code, out } = await headwater(['diff', '--access', '--before', 'sync.yaml', 'sync.yaml'], {
      files: given,
    });
    expect([code, ...out]).toEqual([0, 'Proven: no user gains or loses a row or a column.']);
  });
});

test('only the named tables are claimed to be copied, and only the marked streams to be downloaded', () => {
  const lines = planLines({
    outcome: 'copy',
    replacesPending: false,
    streams: [
      { name: 'lists', change: 'access', downloaded: true },
      { name: 'notes', change: 'kept', downloaded: false },
    ],
    tables: [{ schema: 'public', name: 'members' }],
  });
  expect(lines).toEqual([
    'The active config is served until the tables below are copied.',
    '  lists  different clients get it; clients download it',
    '  notes  unchanged',
    'Tables to copy:',
    '  public.members: number of rows unknown',
  ]);
});
