/** Runs suites of mocha that fail: a suite is run again from its beginning, and only its last result counts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import { runUiSuite } from '../../../scripts/rigs/uiSuite.ts';

afterEach(() => vi.restoreAllMocks());

/** Returns what a run prints, without stacks and durations, and its tally. The texts are the bodies of suites. */
async function runSuites(bodies: Readonly<Record<string, string>>) {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => {
    printed.push((line.split('\n')[0] ?? '').replace(/ \(\d+ ms\)|, [\d.]+ s$/, ''));
  });
  const folder = temporaryFolder('suites');
  mkdirSync(folder, { recursive: true });
  for (const [name, body] of Object.entries(bodies))
    writeFileSync(
      join(folder, `${name}.test.ts`),
      `const state = { begun: 0, tried: 0 };\ndescribe('${name} (a suite)', () => {\n${body}\n});\n`,
    );
  return { tally: await runUiSuite(folder), printed };
}

const begin = 'before(() => { state.begun += 1; });';
const step = (name: string, condition: string) =>
  `it('${name}', () => { state.tried += 1; if (!(${condition})) throw new Error('no'); });`;

test('a suite that fails is run again from its beginning, and each other suite once', async () => {
  const { tally, printed } = await runSuites({
    one: step('passes once', 'state.tried === 1'),
    two: [
      begin,
      step('begins', 'true'),
      step('needs a second beginning', 'state.begun === 2'),
      step('ends', 'true'),
    ].join('\n'),
  });
  expect(tally).toEqual({ passed: 4, failed: 0, skipped: 0 });
  expect(printed).toEqual([
    '  ✔ one (a suite) passes once',
    '  ■ one (a suite)',
    '  ✔ two (a suite) begins',
    '  ↻ two (a suite) needs a second beginning failed and is tried again',
    '  ↻ two (a suite) needs a second beginning failed again, so its suite is run again',
    '  – two (a suite) ends',
    '  ■ two (a suite)',
    '  ✔ two (a suite) begins',
    '  ✔ two (a suite) needs a second beginning',
    '  ✔ two (a suite) ends',
    '  ■ two (a suite)',
  ]);
});

test('a suite that fails twice has failed, with the rest of its steps counted once', async () => {
  const { tally, printed } = await runSuites({
    one: [step('fails', 'false'), step('passes', 'true'), "it('is missing');"].join('\n'),
  });
  expect(tally).toEqual({ passed: 1, failed: 1, skipped: 1 });
  expect(printed.filter((line) => /[✖↻]/.test(line))).toEqual([
    '  ↻ one (a suite) fails failed and is tried again',
    '  ↻ one (a suite) fails failed again, so its suite is run again',
    '  ↻ one (a suite) fails failed and is tried again',
    '  ✖ one (a suite) fails',
  ]);
});

test('a suite whose beginning fails has failed', async () => {
  const { tally } = await runSuites({
    one: `before(() => { throw new Error('no'); });\n${step('is not reached', 'true')}`,
  });
  expect(tally).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
