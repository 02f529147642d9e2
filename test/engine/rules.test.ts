import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  examplesOf,
  page,
  type RuleExample,
  readHeading,
  renderRules,
  renderRuleTexts,
  ruleTexts,
} from '../../scripts/rules.ts';
import { type Code, catalogue, type Finding, severityOf } from '../../server/engine/diagnostics.ts';
import { type AnalyzeInput, analyze } from '../../server/engine/index.ts';
import { ruleGroups } from '../../server/engine/rules/index.ts';
import { readCatalog } from '../support/catalog.ts';

const codes = ruleGroups.flatMap(({ rules }) => rules.map(({ code }) => code));

test('Every code of the catalogue has exactly one rule, in a file of its name', () => {
  const files = readdirSync(new URL('../../server/engine/rules/', import.meta.url))
    .filter((file) => file !== 'index.ts' && file !== 'rule.ts')
    .map((file) => file.replace(/\.ts$/, ''));
  const known = Object.keys(catalogue).sort();
  expect([...codes].sort()).toEqual(known);
  expect(files.sort()).toEqual(known);
});

test('docs/RULES.md is what the headings of the rules say', () => {
  expect(readFileSync(page, 'utf8')).toBe(renderRules());
  expect(readFileSync(ruleTexts, 'utf8')).toBe(renderRuleTexts());
});

describe('The examples of each rule', () => {
  test.each(codes)('%s', (code) => {
    const examples = examplesOf(readHeading(code));
    const source = examples.find(({ heading }) => heading === 'With this source:')?.text;
    const bad = examples.filter(({ heading }) => heading === 'Bad:');
    const good = examples.filter(({ heading }) => heading === 'Good:');
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

function findingsIn(
  { language, text }: RuleExample,
  code: Code,
  source: string | undefined,
): readonly Finding[] {
  const kind: AnalyzeInput['kind'] = /^(service-|env-|unknown-tag)/.test(code) ? 'service' : 'sync';
  return analyze(language === 'sql' ? streamOf(text) : text, {
    kind,
    defaultSchema: 'public',
    ...(source !== undefined && { catalog: readCatalog(source) }),
  }).findings;
}

function streamOf(sql: string): string {
  return `config:\n  edition: 3\nstreams:\n  example:\n    query: |\n${sql.replace(/^/gm, '      ')}\n`;
}

function codesOf(findings: readonly Finding[]): Code[] {
  return findings.map(({ code }) => code);
}
