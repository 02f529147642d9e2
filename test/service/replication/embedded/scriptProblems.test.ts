/** The problems of the scripts of an embedded database, as its service reports them. */
import { expect, test } from 'vitest';
import { scriptProblems } from '../../../../server/service/replication/embedded/scripts/scriptProblems.ts';
import type { SkippedStatement } from '../../../../server/service/replication/source.ts';

const report = { applied: 2, changed: [], removed: [], problems: [] };

function skipped(line: number, statement: string, more: Partial<SkippedStatement> = {}): SkippedStatement {
  return {
    script: 'seed.sql',
    line,
    statement,
    reason: 'failed',
    message: 'it is wrong',
    makes: [],
    adds: [],
    ...more,
  };
}

function messagesFor(steps: readonly SkippedStatement[], removed: readonly string[] = []): readonly string[] {
  return scriptProblems({ ...report, removed, skipped: steps })
    .filter(({ code }) => code === 'SVC_S1153')
    .map(({ message }) => message);
}

test.each([
  'INSERT INTO lists VALUES (1)',
  'update lists set id = 2',
  'DELETE FROM lists',
  'COPY lists FROM stdin',
  'WITH one AS (SELECT 1) INSERT INTO lists SELECT * FROM one',
])('A statement for rows that was left out is a problem: %s', (statement) => {
  expect(messagesFor([skipped(3, statement)])).toEqual([
    'A statement was left out, so rows may be missing: seed.sql:3: it is wrong.',
  ]);
});

test.each([
  skipped(1, 'CREATE POLICY own ON lists'),
  skipped(2, 'SELECT 1'),
  skipped(3, 'COPY lists TO PROGRAM x', { reason: 'server' }),
])('A statement that changes no rows of the database is none: $statement', (step) => {
  expect(messagesFor([step])).toEqual([]);
});

test('Of many statements, three are named and the others are counted', () => {
  const many = [1, 2, 3, 4, 5].map((line) => skipped(line, 'INSERT INTO lists VALUES (1)'));
  const messages = messagesFor(many);
  expect(messages).toHaveLength(4);
  expect(messages[3]).toBe('Rows may also be missing because of 2 other statements.');
  expect(messagesFor(many.slice(1))[3]).toBe('Rows may also be missing because of 1 other statement.');
});

test('A script that is gone is reported as removed only', () => {
  expect(messagesFor([skipped(1, 'INSERT INTO lists VALUES (1)')], ['seed.sql'])).toEqual([]);
});
