import { describe, expect, test } from 'vitest';
import { severityOf } from '../../server/engine/diagnostics/diagnostics.ts';
import { analyze } from '../../server/engine/index.ts';
import { compareFindings, readExamples } from '../support/engine/examples.ts';
import type { Mark } from '../support/engine/fixture.ts';
import { draw } from '../support/engine/marks.ts';
import { deviations } from './deviations.ts';

const examples = readExamples();

describe('Each example has the same findings as in the reference, except for known deviations', () => {
  test.each(examples.map((example) => [example.name, example] as const))('%s', (name, example) => {
    const { text, defaultSchema, catalog } = example;
    const { findings } = analyze(text, { kind: 'sync', defaultSchema, catalog });
    const difference = compareFindings(example, findings);
    const found = findings.map(({ code, span }) => ({ severity: severityOf(code), code, span }));
    expect(
      difference,
      [
        example.about,
        '--- the reference:',
        draw({ text, cursors: [] }, example.expected.map(upright)),
        '--- we:',
        draw({ text, cursors: [] }, found),
      ].join('\n'),
    ).toEqual([...(deviations[name]?.difference ?? [])].sort());
  });
});

test.each(Object.entries(deviations).filter(([, { rule }]) => rule !== undefined))(
  'The page names the code that refuses %s',
  (name, { rule }) => {
    const example = examples.find((each) => each.name === name);
    const { findings } = analyze(example?.text ?? '', { ...example, kind: 'sync' });
    expect(findings.map(({ code }) => code)).toContain(rule);
  },
);

test('Each config that we refuse and the reference accepts names its code', () => {
  const refusals = Object.values(deviations).filter(({ kind }) => kind === 'leak' || kind === 'cannot work');
  expect(refusals.filter(({ rule }) => rule === undefined)).toEqual([]);
});

test('At most 25 examples deviate, and each of them exists', () => {
  const names = new Set(examples.map((example) => example.name));
  expect(Object.keys(deviations).filter((name) => !names.has(name))).toEqual([]);
  expect(Object.keys(deviations).length).toBeLessThanOrEqual(25);
});

/** Corrects a range of the reference that ends before it starts. */
function upright(mark: Mark): Mark {
  const { start, end } = mark.span;
  return { ...mark, span: { start, end: Math.max(start, end) } };
}
