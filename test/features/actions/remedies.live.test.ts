/**
 * Remedies on fixtures. A title shows how many results the reference engine reads, before and after, for the user with
 * the most results. A remedy is not offered if it would not help, or if it would change who gets which rows.
 */
import { describe, expect, test } from 'vitest';
import { type Analysis, analyze, severityOf } from '../../../server/engine/index.ts';
import { remediesAt } from '../../../server/features/actions/remedies/index.ts';
import {
  afterRemedy,
  keepsAccess,
  type Remedy,
  readNumbers,
  toAction,
} from '../../../server/features/actions/remedies/remedy.ts';
import { limitCases } from '../../support/engine/limits/cases.ts';
import { forecastOfRows } from '../../support/engine/limits/forecast.ts';
import { referenceEvaluation } from '../../support/engine/referenceRows.ts';

type CaseRow = Readonly<Record<string, string | null>>;
type Rows = ReadonlyMap<string, readonly CaseRow[]>;

const times = (count: number, make: (index: number) => CaseRow) =>
  Array.from({ length: count }, (_, i) => make(i));

/** 60 lists. The user `ada` is a member of 20 of them, and of some twice. Other users are members of the other lists. */
const rows: Rows = new Map([
  ['lists', times(60, (i) => ({ id: `l${i}`, owner: `u${i % 3}`, archived: i % 2 === 0 ? 'yes' : 'no' }))],
  [
    'members',
    [
      ...times(30, (i) => ({ id: `m${i}`, list_id: `l${i % 20}`, user_id: 'ada' })),
      ...times(40, (i) => ({ id: `n${i}`, list_id: `l${i + 20}`, user_id: `u${i % 7}` })),
    ],
  ],
  ['notes', times(90, (i) => ({ id: `n${i}`, list_id: `l${i % 60}`, author: `u${i % 5}` }))],
]);

function config(...streams: readonly string[]): string {
  return `config:\n  edition: 3\nstreams:\n${streams.join('')}`;
}

function stream(query: string, name = 'notes', more = ''): string {
  return `  ${name}:\n${more}    query: ${query}\n`;
}

function analysisOf(text: string): Analysis {
  return analyze(text, { kind: 'sync', defaultSchema: 'public' });
}

interface Offer {
  readonly title: string;
  readonly text: string;
}

/** Returns the remedies that the language server would offer, with a forecast from the rows instead of from a service. */
function offers(text: string, data: Rows = rows, name = 'notes'): readonly Offer[] {
  const analysis = analysisOf(text);
  expect(analysis.findings.filter(({ code }) => severityOf(code) === 'error')).toEqual([]);
  const start = text.indexOf(`  ${name}:`) + 2;
  return remediesAt(analysis, { start, end: start }).flatMap((remedy) => {
    const after = afterRemedy(analysis, remedy);
    if (!isSafe(analysis, after)) return [];
    const [before, then] = [
      readNumbers(forecastOfRows(text, data, remedy.before)),
      readNumbers(forecastOfRows(after.text, data, remedy.after)),
    ];
    const action = before && then && toAction(remedy, before, then);
    return action === undefined ? [] : [{ title: action.title, text: after.text }];
  });
}

function isSafe(before: Analysis, after: Analysis): boolean {
  let looks = 0;
  const work = keepsAccess(before, after, () => looks++ > 20_000);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Returns the highest number of results that the reference reads for any of the users, with all streams. */
async function readByReference(
  text: string,
  data: Rows,
  users: readonly string[],
  parameters: object = {},
): Promise<number> {
  const evaluation = referenceEvaluation(text);
  for (const [table, some] of data) for (const row of some) evaluation.addRow(table, row);
  const asked = analysisOf(text).config?.definitions.filter(({ plan }) => plan?.isDefault === false) ?? [];
  const reads = await Promise.all(
    users.map((sub) =>
      evaluation.results({
        claims: { sub },
        connection: {},
        subscriptions: asked.map(({ definition }) => ({ stream: definition.name, parameters })),
      }),
    ),
  );
  return Math.max(...reads);
}

const users = ['ada', ...times(7, (i) => ({ id: `u${i}` })).map(({ id }) => String(id))];
const plain = (count: number) => count.toLocaleString('en');

interface Case {
  readonly what: string;
  readonly text: string;
  /** The beginning of the title, before the numbers. */
  readonly title: string;
  /** A part of the text after the remedy. */
  readonly becomes: string;
  readonly parameters?: object;
}

const mine = 'SELECT list_id FROM members WHERE user_id = auth.user_id()';

const cases: readonly Case[] = [
  {
    what: 'the column of the joined table',
    text: config(
      stream(
        "SELECT * FROM notes WHERE list_id IN (SELECT m.list_id FROM members m JOIN lists l ON l.id = m.list_id WHERE m.user_id = auth.user_id() AND l.archived = 'no')",
      ),
    ),
    title: 'Select l.id instead of m.list_id',
    becomes: 'SELECT l.id FROM members m JOIN lists l',
  },
  {
    what: 'the synced table itself, joined in the lookup',
    text: config(
      stream(
        'SELECT * FROM lists WHERE id IN (SELECT l.id FROM lists l JOIN members m ON m.list_id = l.id WHERE m.user_id = auth.user_id())',
      ),
    ),
    title: 'Read members directly',
    becomes: 'id IN (SELECT m.list_id FROM members m WHERE m.user_id = auth.user_id())',
  },
  {
    what: 'the synced table itself, as an intermediate step',
    text: config(stream(`SELECT * FROM lists WHERE id IN (SELECT id FROM lists WHERE id IN (${mine}))`)),
    title: 'Read members directly',
    becomes: `SELECT * FROM lists WHERE id IN (${mine})`,
  },
  {
    what: 'a condition on a parameter',
    text: config(
      stream(`SELECT * FROM notes WHERE list_id = subscription.parameter('list') AND list_id IN (${mine})`),
    ),
    title: "Check list_id = subscription.parameter('list') in the lookup",
    becomes: `WHERE list_id IN (${mine} AND list_id = subscription.parameter('list'))`,
    parameters: { list: 'l3' },
  },
  {
    what: 'several streams',
    text: config(
      ...['notes', 'others'].map((name) =>
        stream(
          `SELECT * FROM notes WHERE list_id IN (${mine}) AND author = '${name}'`,
          name,
          '    auto_subscribe: true\n',
        ),
      ),
    ),
    title: 'Combine 2 streams into one with several queries',
    becomes: '    queries:\n      - ',
  },
  {
    what: 'a parameter of the subscription',
    text: config(
      stream(`SELECT * FROM notes WHERE list_id IN (${mine})`, 'notes', '    auto_subscribe: true\n'),
    ),
    title: "Subscribe with subscription.parameter('list_id')",
    becomes: `  notes:\n    query: SELECT * FROM notes WHERE list_id IN (${mine} AND list_id = subscription.parameter('list_id'))`,
    parameters: { list_id: 'l3' },
  },
];

describe('a remedy is offered with the numbers of the reference', () => {
  test.each(cases)('for $what', async ({ text, title, becomes, parameters }) => {
    const found = offers(text).find((offer) => offer.title.startsWith(title));
    if (found === undefined) throw new Error(`not offered: ${JSON.stringify(offers(text))}`);
    expect(found.text).toContain(becomes);
    const before = await readByReference(text, rows, users, parameters);
    const after = await readByReference(found.text, rows, users, parameters);
    const each = title.startsWith('Subscribe') ? ' for each' : '';
    expect(after).toBeLessThan(before);
    expect(found.title).toBe(`${title} (${plain(before)} → ${plain(after)}${each})`);
  });

  test.each(limitCases)('in $source', async ({ config: text, rows: data, user }) => {
    const name = analysisOf(text).config?.definitions.find(({ plan }) => plan?.lookups.length)?.definition
      .name;
    const found = offers(text, data, name);
    expect(found.length).toBeGreaterThan(0);
    const before = await readByReference(text, data, [user], { id: 'i-7' });
    for (const offer of found)
      expect(await readByReference(offer.text, data, [user], { id: 'i-7' })).toBeLessThan(before);
  });
});

describe('nothing is offered', () => {
  test('that removes or adds rows, such as the removal of a table that ensures that the list exists', () => {
    const text = config(
      stream(
        'SELECT * FROM notes WHERE list_id IN (SELECT l.id FROM lists l JOIN members m ON m.list_id = l.id WHERE m.user_id = auth.user_id())',
      ),
    );
    const remedies = remediesAt(analysisOf(text), placeOf(text));
    expect(remedies.map(({ title }) => title)).toContain('Read members directly');
    expect(offers(text).map(({ title }) => title)).not.toContainEqual(
      expect.stringContaining('Read members directly'),
    );
  });

  test('that could not remove a stream, because the stream is written in braces', () => {
    const query = `SELECT * FROM notes WHERE list_id IN (${mine})`;
    const block = stream(query, 'notes', '    auto_subscribe: true\n');
    const text = config(block, `  others: { auto_subscribe: true, query: "${query}" }\n`);
    expect(offers(text).map(({ title }) => title)).not.toContainEqual(expect.stringMatching(/^Write/));
  });

  test('that does not reduce the number', () => {
    const text = config(stream(`SELECT * FROM notes WHERE list_id IN (${mine})`));
    const analysis = analysisOf(text);
    const same: Remedy = { title: 'Same', edits: [], before: ['notes'], after: ['notes'] };
    const numbers = readNumbers(forecastOfRows(analysis.text, rows, ['notes']));
    expect(numbers && toAction(same, numbers, numbers)).toBeUndefined();
  });

  test('that results in more buckets, or whose effect is not certain', () => {
    const remedy: Remedy = { title: 'Some', edits: [], before: [], after: [] };
    const before = { sure: 100, most: 100, isReached: true, buckets: 5 };
    expect(toAction(remedy, before, { ...before, most: 10, buckets: 6 })).toBeUndefined();
    expect(toAction(remedy, { ...before, sure: 0 }, { ...before, most: 10 })).toBeUndefined();
    expect(toAction(remedy, before, { ...before, most: 10, isReached: false })?.title).toBe(
      'Some (100 → at most 10)',
    );
  });

  test('to share a lookup as a CTE, because the reference reads it again', async () => {
    const twice = ['notes', 'others'].map((name) =>
      stream(`SELECT * FROM notes WHERE list_id IN mine`, name),
    );
    const shared = `config:\n  edition: 3\nwith:\n  mine: ${mine}\nstreams:\n${twice.join('')}`;
    const apart = shared.replace(/with:\n.*\n/, '').replaceAll('IN mine', `IN (${mine})`);
    expect(await readByReference(shared, rows, users)).toBe(await readByReference(apart, rows, users));
    for (const text of [shared, apart])
      expect(offers(text).map(({ title }) => title)).not.toContainEqual(expect.stringMatching(/CTE/));
  });

  test('that would lose a comment, outside streams, or before edition 3', () => {
    const text = config(
      `  notes:\n    query: |\n      -- why\n      SELECT * FROM notes WHERE list_id IN (${mine})\n`,
    );
    expect(offers(text)).toEqual([]);
    expect(remediesAt(analysisOf(text), { start: 0, end: 0 })).toEqual([]);
    const older = `bucket_definitions:\n  notes:\n    parameters: SELECT list_id AS l FROM members WHERE user_id = request.user_id()\n    data: [SELECT * FROM notes WHERE list_id = bucket.l]\n`;
    expect(offers(older)).toEqual([]);
  });
});

function placeOf(text: string) {
  const start = text.indexOf('  notes:') + 2;
  return { start, end: start };
}
