import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { kindOf, type RuleExample, readHeading } from '../../scripts/ruleHeadings.ts';
import { pages } from '../../scripts/rules.ts';
import { type Code, catalogue, type Finding, severityOf } from '../../server/engine/diagnostics.ts';
import { analyze } from '../../server/engine/index.ts';
import { ruleGroups } from '../../server/engine/rules/index.ts';
import { readCatalog } from '../support/catalog.ts';

const generated = pages();
const codes = ruleGroups.flatMap(({ rules }) => rules.map(({ code }) => code));

test('Every code of the catalogue has exactly one rule, in a file of its name', () => {
  const files = readdirSync(new URL('../../server/engine/rules/', import.meta.url))
    .filter((file) => file !== 'index.ts' && file !== 'rule.ts')
    .map((file) => file.replace(/\.ts$/, ''));
  const known = Object.keys(catalogue).sort();
  expect([...codes].sort()).toEqual(known);
  expect(files.sort()).toEqual(known);
});

test.each(codes)('%s says why', (code) => {
  expect(readHeading(code).reason).not.toBe('');
});

test('every generated page is what `npm run rules` would write now', () => {
  const outdated = [...generated].filter(([path, text]) => readFileSync(join(root, path), 'utf8') !== text);
  expect(outdated.map(([path]) => path)).toEqual([]);
});

test('no page is left of a code that is gone', () => {
  const written = globSync('docs/errors/*.md', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  expect(written.filter((path) => !generated.has(path))).toEqual([]);
});

describe('The examples of each rule', () => {
  test.each(codes)('%s', (code) => {
    const { examples } = readHeading(code);
    const source = examples.find(({ is }) => is === 'With this source')?.text;
    const bad = examples.filter(({ is }) => is === 'Bad');
    const good = examples.filter(({ is }) => is === 'Good');
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
  'argument-not-request-data': true,
  'too-many-buckets': true,
  'yaml-too-long': true,
  'unrelated-filter': true,
  'service-file-not-found': true,
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
