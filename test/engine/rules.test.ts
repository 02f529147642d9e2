import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problemsInExamples } from '../../scripts/pages/rulePage.ts';
import { type RuleExample, readRule } from '../../scripts/pages/ruleText.ts';
import { root } from '../../scripts/root.ts';
import { generatedTexts } from '../../scripts/rules.ts';
import { checks } from '../../server/engine/checks/index.ts';
import { type Code, catalogue, codeGroups } from '../../server/engine/diagnostics/diagnostics.ts';

const generated = generatedTexts();
const codes = [...codeGroups.values()].flat();

test('Every code of the catalogue is in one group, and has a page', () => {
  const written = globSync('docs/rules/*.md', { cwd: root }).map((path) => basename(path, '.md'));
  const known = Object.keys(catalogue).sort();
  expect([...codes].sort()).toEqual(known);
  expect(written.sort()).toEqual(known);
});

test('Every check has a file with the name of its code', () => {
  const helpers = ['check', 'facts', 'index', 'valueClass'];
  const files = globSync('server/engine/checks/*.ts', { cwd: root }).map((path) => basename(path, '.ts'));
  expect(files.filter((file) => !helpers.includes(file)).sort()).toEqual(
    checks.map(({ code }) => code).sort(),
  );
});

test.each(codes)('%s has a reason on its page', (code) => {
  expect(readRule(code).reason).not.toBe('');
});

test('the files that `npm run rules` writes are up to date', () => {
  const outdated = [...generated].filter(([path, text]) => readFileSync(join(root, path), 'utf8') !== text);
  expect(outdated.map(([path]) => path)).toEqual([]);
});

test('no page is left for a code that has been removed', () => {
  const written = globSync('docs/{errors,rules}/*.md', { cwd: root }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  expect(written.filter((path) => !generated.has(path))).toEqual([]);
});

describe('The examples of each rule', () => {
  test.each(codes)('%s', (code) => {
    const { examples } = readRule(code);
    const bad = examples.filter(({ is }) => is === 'Wrong');
    const good = examples.filter(({ is }) => is === 'Right');
    expect([bad.length, good.length]).toEqual(code in withoutExamples ? [0, 0] : [1, 1]);
    expect(problemsInExamples(code)).toEqual([]);
  });
});

test('An example that contradicts its heading is a problem, so that `npm run rules` fails', () => {
  const { reason, examples } = readRule('unlisted-value');
  const problemsOf = (changed: readonly RuleExample[]) =>
    problemsInExamples('unlisted-value', { reason, examples: changed });
  const swapped = examples.map((example): RuleExample => {
    if (example.is === 'With these tables') return example;
    return { ...example, is: example.is === 'Wrong' ? 'Right' : 'Wrong' };
  });
  expect(problemsOf(examples)).toEqual([]);
  expect(problemsOf(swapped)).toEqual([
    'docs/rules/unlisted-value.md: the example under "Wrong" reports nothing.',
    'docs/rules/unlisted-value.md: the example under "Right" reports unlisted-value.',
  ]);
  const open = examples.map((example): RuleExample => {
    if (example.is !== 'Right') return example;
    return { ...example, text: example.text.replace('owner_id = auth.user_id() AND', '') };
  });
  expect(problemsOf(open)).toEqual([
    'docs/rules/unlisted-value.md: the example under "Right" reports reads-rows-of-others.',
    'docs/rules/unlisted-value.md: the example under "Right" sends the rows of example to everybody.',
  ]);
  expect(problemsOf(examples.filter(({ is }) => is !== 'Right'))).toEqual([
    'docs/rules/unlisted-value.md: needs both "## Wrong" and "## Right".',
  ]);
});

test('A code without examples is reported somewhere in the product', () => {
  const sources = globSync('{client,server}/**/*.ts', { cwd: root })
    .filter((path) => !path.replaceAll('\\', '/').startsWith('server/engine/diagnostics/'))
    .map((path) => readFileSync(join(root, path), 'utf8'));
  const isReported = (code: string) => sources.some((text) => text.includes(`'${code}'`));
  expect(Object.keys(withoutExamples).filter((code) => !isReported(code))).toEqual([]);
  expect(isReported('no-such-code')).toBe(false);
});

/** Codes without examples, each with the reason. */
const withoutExamples: Partial<Record<Code, string>> = {
  'no-config': 'The mistake is that a file is not a config.',
  'too-many-buckets': 'The example would have a hundred alternatives.',
  'yaml-too-long': 'The example would have megabytes.',
  'service-file-not-found': 'The mistake is a missing file, not a text.',
  'near-limit': 'The problem is in the rows of a service, not in a text.',
  'test-no-config': 'The mistake is a missing or broken file, not a text.',
  'test-unreadable-rows': 'The mistake is in a SQL file, and a database finds it.',
  'always-fails': 'A database judges claims, and ACCESS shows a claim that it refutes.',
};
