/** Tests how the runner of `npm test` treats suites that hang, are slow, or are noisy: see test/fixtures/runner/. */
import { beforeAll, expect, test } from 'vitest';
import { patient } from '../../../scripts/run/patience.ts';
import type { Progress } from '../../../scripts/run/progress.ts';
import type { PartResult } from '../../../scripts/run/report.ts';
import { runVitest } from '../../../scripts/run/vitest.ts';

let result: PartResult;
const reports: Progress[] = [];
const told = () => reports.flatMap((report) => (report.kind === 'failure' ? [report.text] : []));
const ended = (file: string) =>
  reports.find((report) => report.kind === 'ended' && report.file.endsWith(`${file}.case.ts`));

beforeAll(async () => {
  process.env.HEADWATER_SILENCE_MS = String(patient(4_000));
  result = await runVitest('runner', { config: 'test/fixtures/runner/vitest.config.mts' }, (_, report) => {
    reports.push(report);
  });
  delete process.env.HEADWATER_SILENCE_MS;
});

test('a file that hangs is stopped and named, and its passed tests count', () => {
  expect(ended('hangs')).toMatchObject({ tally: { passed: 1, failed: 1, skipped: 0 } });
  expect(told().join('\n')).toMatch(
    /hangs\.case\.ts\nNo progress for \d+ s, so it was ended\. It was last heard of in: blocks its process/,
  );
});

test('a slow file that makes progress runs to its end', () => {
  expect(ended('slow')).toMatchObject({ tally: { passed: 4, failed: 0, skipped: 0 } });
});

test('only failing tests show what they printed', () => {
  expect(ended('noisy')).toMatchObject({ tally: { passed: 1, failed: 1, skipped: 0 } });
  expect(told().join('\n')).toContain('noise of a test that fails');
  expect(JSON.stringify(reports)).not.toMatch(/noise of a test that passes|noise past the console/);
});

test('all files are counted', () => {
  expect(result.tally).toEqual({ passed: 6, failed: 2, skipped: 0 });
  expect(result.code).not.toBe(0);
});
