import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kindOf, type RuleExample, readRule } from '../../scripts/pages/ruleText.ts';
import { root } from '../../scripts/root.ts';
import { pages } from '../../scripts/rules.ts';
import { checks } from '../../server/engine/checks/index.ts';
import {
  type Code,
  catalogue,
  codeGroups,
  type Finding,
  severityOf,
} from '../../server/engine/diagnostics/diagnostics.ts';
import { analyze } from '../../server/engine/index.ts';
import { readCatalog } from '../support/engine/catalog.ts';

const generated = pages();
const codes = [...codeGroups.values()].flat();

test('Every code of the catalogue is in one group, and has a page', () => {
  const written = globSync('docs/rules/*.md', { cwd: root }).map((path) => basename(path, '.md'));
  const known = Object.keys(catalogue).sort();
  expect([...codes].sort()).toEqual(known);
  expect(written.sort()).toEqual(known);
});

test('Every check has a file of the name of its code', () => {
  const helpers = ['check', 'facts', 'index', 'valueClass'];
  const files = globSync('server/engine/checks/*.ts', { cwd: root }).map((path) => basename(path, '.ts'));
  expect(files.filter((file) => !helpers.includes(file)).sort()).toEqual(
    checks.map(({ code }) => code).sort(),
  );
});

test.each(codes)('%s says why', (code) => {
  expect(readRule(code).reason).not.toBe('');
});

test('every page is what `npm run rules` would write now', () => {
  const outdated = [...generated].filter(([path, text]) => readFileSync(join(root, path), 'utf8') !== text);
  expect(outdated.map(([path]) => path)).toEqual([]);
});

test('no page is left of a code that is gone', () => {
  const written = globSync('docs/{errors,rules}/*.md', { cwd: root }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  expect(written.filter((path) => !generated.has(path))).toEqual([]);
});

describe('The examples of each rule', () => {
  test.each(codes)('%s', (code) => {
    const { examples } = readRule(code);
    const source = examples.find(({ is }) => is === 'With these tables')?.text;
    const bad = examples.filter(({ is }) => is === 'Wrong');
    const good = examples.filter(({ is }) => is === 'Right');
    expect([bad.length, good.length]).toEqual(code in withoutExamples ? [0, 0] : [1, 1]);
    for (const example of bad) expect(codesOf(findingsIn(example, code, source))).toContain(code);
    for (const example of good) {
      const findings = findingsIn(example, code, source);
      expect(codesOf(findings)).not.toContain(code);
      expect(codesOf(findings.filter((finding) => severityOf(finding.code) === 'error'))).toEqual([]);
    }
  });
});

/** Codes whose examples would be too long, or that depend on other files. */
const withoutExamples: Partial<Record<Code, true>> = {
  'no-config': true,
  'argument-not-request-data': true,
  'too-many-buckets': true,
  'yaml-too-long': true,
  'unrelated-filter': true,
  'service-file-not-found': true,
  'near-limit': true,
  'test-no-config': true,
  'test-unreadable-rows': true,
  'test-unknown-name': true,
  'test-duplicate-name': true,
  'test-unreadable-expectation': true,
  'test-unused-user': true,
  'test-never-synced': true,
  'test-unknown-columns': true,
  'test-unreadable-claim': true,
  'test-fails': true,
  'always-fails': true,
};

function findingsIn({ text }: RuleExample, code: Code, source: string | undefined): readonly Finding[] {
  return analyze(text, {
    kind: kindOf(code),
    defaultSchema: 'public',
    ...(source !== undefined && { catalog: readCatalog(source) }),
  }).findings;
}

function codesOf(findings: readonly Finding[]): Code[] {
  return findings.map(({ code }) => code);
}
