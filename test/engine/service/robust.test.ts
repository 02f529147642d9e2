import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Code, messageOf, severityOf } from '../../../server/engine/diagnostics/diagnostics.ts';
import { type Analysis, analyze } from '../../../server/engine/index.ts';
import { casesOf, strideOf } from '../../support/house/share.ts';

const folder = new URL('../../fixtures/service/', import.meta.url);
const fixtures = readdirSync(folder).map(
  (name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const,
);

function analyzeService(text: string): Analysis {
  return analyze(text, { kind: 'service', files: { exists: () => false } });
}

/** Checks that every finding has a message and a place inside the text. */
function expectSound(text: string): void {
  for (const finding of analyzeService(text).findings) {
    const { start, end } = finding.span;
    const isInside = 0 <= start && start <= end && end <= text.length;
    expect(isInside, `${finding.code} at ${start}-${end} of ${text.length} in ${JSON.stringify(text)}`).toBe(
      true,
    );
    expect(messageOf(finding)).not.toMatch(/undefined|\[object|NaN/);
  }
}

function codesIn(name: string): Code[] {
  const text = fixtures.find(([fixture]) => fixture === name)?.[1] ?? '';
  return analyzeService(text).findings.map(({ code }) => code);
}

test('a complete config has no problem except a missing file', () => {
  expect(codesIn('self-hosted.yaml')).toEqual(['service-file-not-found']);
});

test('the only problem of a config with other databases is that the embedded service does not run them', () => {
  const codes = codesIn('other-sources.yaml').filter((code) => severityOf(code) !== 'hint');
  expect([...new Set(codes)]).toEqual(['service-not-embedded']);
});

describe('the analysis never throws, and marks only places that exist', () => {
  // Reading YAML is slow, so only every seventh prefix of a long file is read. These still end at every kind of place.
  test.each(fixtures)('on any prefix of %s', (_, text) => {
    const step = strideOf(text.length > 1000 ? 7 : 1);
    for (let end = 0; end <= text.length; end += step) expectSound(text.slice(0, end));
  });

  test.each(fixtures)('on %s with random edits', (_, text) => {
    const piece = fc.constantFrom(
      '',
      ' ',
      '\n',
      '\n  ',
      ':',
      ': ',
      '-',
      '!env ',
      '*c',
      '&c ',
      '{',
      '[',
      ']',
      '"',
      '|',
      '\t',
      '\0',
      '\ud800',
      '#',
      'x',
    );
    const edit = fc.record({ at: fc.nat(text.length), remove: fc.nat(20), insert: piece });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        expectSound(
          edits.reduce(
            (edited, { at, remove, insert }) => edited.slice(0, at) + insert + edited.slice(at + remove),
            text,
          ),
        );
      }),
      { numRuns: casesOf(100) },
    );
  });

  test.each([
    ['nesting', '['.repeat(100_000)],
    ['nested maps', 'a: {'.repeat(20_000)],
    ['an endless alias', 'api: &a\n  tokens: *a\n  parameters: *a\n'],
    ['an alias to itself', 'api: &a [*a, *a]\n'],
    ['an alias bomb', aliasBomb()],
    ['numbers as keys', '1: 2\n~: 3\ntrue: 4\n[a]: 5\n'],
  ])('on %s', (_, text) => {
    expectSound(text);
  });
});

test('many aliases above many anchors are read quickly', () => {
  const text = `tokens: [${'*a, '.repeat(20_000)}x]\nmetadata: [${'&a x, '.repeat(20_000)}x]\n`;
  expect(analyzeService(text).findings.filter(({ code }) => code === 'service-unknown-alias')).toHaveLength(
    20_000,
  );
});

test('an alias bomb does not multiply the work', () => {
  expect(analyzeService(aliasBomb()).service?.places.size).toBeLessThan(20_000);
});

function aliasBomb(): string {
  const lines = Array.from(
    { length: 20 },
    (_, level) => `  l${level}: &l${level} [${`*l${level - 1}, `.repeat(9)}x]`,
  );
  return `metadata:\n${lines.join('\n').replaceAll('*l-1', 'x')}\napi: { tokens: *l19 }\n`;
}
