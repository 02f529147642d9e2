import { describe, expect, test } from 'vitest';
import type { AffectedStream } from '../../../client/api/affectedUsers.ts';
import type { PlannedTable } from '../../../client/api/plan.ts';
import type { Question } from '../../../client/deploying/flow.ts';
import { pageLines, pageOf } from '../../../client/deploying/page.ts';
import type { ReviewResult } from '../../../server/protocol.ts';

const review: ReviewResult = {
  isSyncConfig: true,
  errors: 0,
  warnings: 1,
  playedDown: [],
  streams: [
    {
      name: 'jobs',
      change: 'rows',
      tables: ['jobs'],
      columns: {
        lost: [{ table: 'jobs', column: 'note' }],
        gained: [{ table: 'jobs', column: 'colour' }],
        unknown: [],
      },
    },
  ],
  streamCount: 1,
  dropped: [],
};

const question: Question = {
  review,
  source: { missing: [], warnings: [] },
  changedElsewhere: false,
  replacesPending: false,
  hasDeployed: true,
};

const lines = (parts: Partial<Question>): readonly string[] => pageLines(pageOf({ ...question, ...parts }));
const facts = (label: string, parts: Partial<Question>, section = 0): readonly string[] =>
  pageOf({ ...question, ...parts })
    .sections.at(section)
    ?.facts.find((fact) => fact.label === label)?.lines ?? [];

const table = (name: string, rows?: number): PlannedTable => ({
  schema: 'public',
  name,
  ...(rows !== undefined && { rows }),
});

const copy = (...tables: readonly PlannedTable[]): Partial<Question> => ({
  plan: {
    outcome: 'copy',
    replacesPending: false,
    streams: [{ name: 'jobs', change: 'rows', downloaded: true }],
    tables,
  },
});

const [ada, brian] = [
  { id: 'a', name: 'Ada' },
  { id: 'b', address: 'brian@example.com' },
];

const affected = (stream: Partial<AffectedStream>): Partial<Question> => ({
  affected: { users: 3, streams: [{ name: 'jobs', changes: [], more: 0, unknown: [], ...stream }] },
});

test('The page begins with what blocks, and then has each stream and the whole deploy', () => {
  const missing = [{ table: 'todos', readBy: ['jobs'] }];
  expect(
    lines({
      ...copy(table('jobs', 1200)),
      source: { missing, warnings: ['No key.'] },
      changedElsewhere: true,
    }),
  ).toEqual([
    'Blocks this deploy:',
    '  There is no table todos, which jobs reads.',
    '  No key.',
    'Someone else has deployed to this service since your last deploy.',
    '',
    'jobs: clients download it again',
    '  Columns lost      note of jobs',
    '  Columns gained    colour of jobs',
    '  Who gains         unknown: the service does not report it',
    '  Who loses         unknown: the service does not report it',
    '  Rows to copy      about 1,200 (jobs)',
    '  Clients download  all rows of this stream',
    '',
    'The whole deploy',
    '  Rows to copy  Copied tables: 1, rows: about 1,200.',
    '  Time          unknown until the copy has begun',
    '  Warnings      The file has 1 warning.',
  ]);
});

describe('The users of a stream', () => {
  test('are named with the user who has the same row', () => {
    const changes = [
      { kind: 'gained', table: 'jobs', user: brian, rows: 1, example: 'job-1', holder: ada },
      { kind: 'lost', table: 'jobs', user: ada, rows: 1234, example: 'job-2' },
    ] as const;
    expect(facts('Who gains', affected({ changes }))).toEqual([
      'brian@example.com gains rows of jobs: 1 (such as job-1, which Ada has)',
    ]);
    expect(facts('Who loses', affected({ changes }))).toEqual([
      'Ada loses rows of jobs: 1,234 (such as job-2)',
    ]);
  });

  test('are nobody only if everything is known', () => {
    expect(facts('Who gains', affected({}))).toEqual(['none of the known users (3)']);
    expect(facts('Who gains', affected({ unknown: [{ reason: 'rows', of: ['jobs'] }] }))).toEqual([
      'unknown: jobs has too many rows to compare them',
    ]);
    expect(
      facts('Who loses', affected({ unknown: [{ reason: 'values', of: ["auth.parameter('org')"] }] })),
    ).toEqual(["unknown for users who are not connected: it depends on auth.parameter('org')"]);
    expect(facts('Who gains', { affected: { users: 0, streams: [], unknown: 'no_queries' } })).toEqual([
      'unknown: the service must not read rows (debug_api)',
    ]);
  });

  test('who may gain a row, though none does now, are described by the smallest rows', () => {
    const change = {
      kind: 'gained',
      stream: 'jobs',
      table: 'jobs',
      id: 'j',
      rows: ['jobs: [{ id: j }]'],
    } as const;
    const possible = { ...review, access: { changes: [change], isExhausted: true, limits: [] } };
    expect(facts('Who gains', { ...affected({}), review: possible })).toEqual([
      'none of the known users (3)',
      'For example: Anybody gets jobs j through the stream jobs, with jobs: [{ id: j }]',
    ]);
    // A column is not a row that somebody gains.
    const column = { ...change, columns: ['phone'] };
    const ofColumn = { ...review, access: { changes: [column], isExhausted: true, limits: [] } };
    expect(facts('Who gains', { ...affected({}), review: ofColumn })).toEqual([
      'none of the known users (3)',
    ]);
  });

  test('are at most five in a list', () => {
    const change = { kind: 'gained', table: 'jobs', user: ada, rows: 1, example: 'j' } as const;
    const all = facts('Who gains', affected({ changes: Array.from({ length: 7 }, () => change), more: 10 }));
    expect([all.length, all.at(-1)]).toEqual([6, 'and 12 more']);
  });
});

test('Before the first deploy, all users only gain', () => {
  expect(facts('Who gains', { hasDeployed: false })).toEqual(['all users of the stream']);
  expect(facts('Who loses', { hasDeployed: false })).toEqual(['nobody']);
});

test.each([
  ['Copied tables: 2, rows: about 1,200.', [table('a', 1_000), table('b', 200)]],
  ['Copied tables: 2. The number of rows is unknown.', [table('a'), table('b')]],
  [
    'Copied tables: 3, rows: about 1,000, and an unknown number in 2 of the tables.',
    [table('a', 1_000), table('b'), table('c')],
  ],
  ['Copied tables: 1, rows: about 0.', [table('a', 0)]],
])('%s', (sentence, tables) => {
  expect(facts('Rows to copy', copy(...tables), -1)).toEqual([sentence]);
});

test('The rows and the time of a copy are unknown unless the service knows all of them', () => {
  expect(facts('Rows to copy', copy(table('jobs')))).toEqual(['unknown (jobs)']);
  expect(facts('Rows to copy', {})).toEqual(['unknown']);
  expect(facts('Rows to copy', {}, -1)).toEqual(['unknown']);
  expect(facts('Time', { ...copy(table('jobs', 900)), rate: 100 }, -1)).toEqual([
    'at least 9 s, with at most 100 rows per second',
  ]);
  expect(facts('Time', { ...copy(table('jobs')), rate: 100 }, -1)).toEqual([
    'unknown until the copy has begun',
  ]);
});

test('Columns are unknown where all columns of an unknown table are read', () => {
  const [stream] = review.streams;
  const streams = stream ? [{ ...stream, columns: { lost: [], gained: [], unknown: ['jobs'] } }] : [];
  expect(facts('Columns lost', { review: { ...review, streams } })).toEqual([
    'unknown for jobs: all columns are read, and its columns are not known',
  ]);
});

test('Without differences, the page says so', () => {
  const same = { ...review, streams: [], access: { changes: [], isExhausted: true, limits: [] } };
  expect(pageOf({ ...question, review: same }).hasDifferences).toBe(false);
  expect(lines({ review: same })).toContain('No streams are changed.');
  const missing = [{ table: 'todos', readBy: [] }];
  expect(pageOf({ ...question, review: same, source: { missing, warnings: [] } }).hasDifferences).toBe(true);
  expect(pageOf({ ...question, review: undefined }).hasDifferences).toBe(true);
});

test('Many streams have a line each', () => {
  const streams = Array.from({ length: 2_000 }, (_, at) => ({
    name: `s${at}`,
    change: 'new' as const,
    tables: [],
  }));
  const { sections } = pageOf({ ...question, review: { ...review, streams } });
  expect([sections.length, sections.at(-2)?.title]).toEqual([42, 'Other streams: 1960']);
});
