/** Every leak is reported, and every report is right, in configs as apps have them. */
import { expect, test } from 'vitest';
import type { Code } from '../../../server/engine/diagnostics/diagnostics.ts';
import { analyze, readSqlFiles, severityOf } from '../../../server/engine/index.ts';
import { appTables, leaking, sound } from './configs.ts';

const accessCodes: ReadonlySet<Code> = new Set<Code>([
  'row-not-compared',
  'self-written-claim',
  'unauthenticated-parameter',
  'reads-rows-of-others',
]);

const catalog = readSqlFiles([{ path: 'tables.sql', text: appTables }])?.catalog;
const mark = 'with tables: ';

function codesIn(row: string): readonly Code[] {
  const hasTables = row.startsWith(mark);
  const written = hasTables ? row.slice(mark.length) : row;
  const text = written.includes('\n')
    ? written
    : `config:\n  edition: 3\nstreams:\n  s:\n    query: ${JSON.stringify(written)}\n`;
  const { findings } = analyze(text, { kind: 'sync', ...(hasTables && { catalog }) });
  const errors = findings.filter(({ code }) => severityOf(code) === 'error').map(({ code }) => code);
  expect([row, errors]).toEqual([row, []]);
  return findings.map(({ code }) => code).filter((code) => accessCodes.has(code));
}

test('Each config has no error, and there are enough of them', () => {
  expect([leaking.length, sound.length]).toEqual([60, 60]);
});

test('Every leak is reported', () => {
  expect(leaking.filter((row) => codesIn(row).length === 0)).toEqual([]);
});

test('Nothing is reported about a config without a leak', () => {
  expect(sound.flatMap((row) => codesIn(row).map((code) => [code, row]))).toEqual([]);
});
