import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../server/engine/diagnostics/diagnostics.ts';
import { type Analysis, analyze } from '../../../server/engine/index.ts';
import { readExamples } from '../../support/engine/examples.ts';
import { casesOf, sizeOf, strideOf } from '../../support/house/share.ts';

const texts = readExamples().map(({ text }) => text);

/** Analyzes a text, and checks that the findings are sorted, have complete messages, and are placed inside the text. */
function checkAnalysis(text: string, previous?: Analysis): Analysis {
  const analysis = analyze(text, { kind: 'sync', previous });
  let before = 0;
  for (const finding of analysis.findings) {
    const { start, end } = finding.span;
    const fits = before <= start && start <= end && end <= text.length;
    if (!fits) throw new Error(`${finding.code} at ${start}-${end} of ${JSON.stringify(text)}`);
    if (/undefined|NaN|Infinity/.test(messageOf(finding)))
      throw new Error(`${finding.code}: ${messageOf(finding)}`);
    before = start;
  }
  return analysis;
}

describe('There is always an analysis', () => {
  test('of prefixes of the examples', () => {
    const stride = strideOf(29);
    // All lengths would take half a minute, so some are tried, and different ones for each example.
    for (const [index, text] of texts.entries())
      for (let end = index % stride; end < text.length; end += stride) checkAnalysis(text.slice(0, end));
  });

  test('of examples with random characters in them', () => {
    const characters = fc.constantFrom(
      ...['\0', '\ud800', '\udc00', '\u2028', '\ufeff', '\r', '\t', '"', "'", '(', ')', '[', '{', '}', ']'],
      ...[
        '*',
        '&',
        '!',
        '|',
        '>',
        '%',
        '@',
        '`',
        ':',
        '-',
        '?',
        '#',
        ';',
        ',',
        '.',
        '$',
        '\\',
        '0',
        'é',
        '😀',
      ],
    );
    const edits = fc.array(fc.tuple(fc.nat(2000), fc.nat(3), characters), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...texts), edits, (text, changes) => {
        checkAnalysis(changes.reduce(applyChange, text));
      }),
      { numRuns: casesOf(1500), seed: 13 },
    );
  });

  test('of random bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        checkAnalysis(text);
      }),
      { numRuns: casesOf(500), seed: 17 },
    );
  });

  test('of examples with every kind of line end', () => {
    for (const text of texts.slice(0, 60))
      for (const end of ['\r\n', '\r', '\n\n']) checkAnalysis(text.replaceAll('\n', end));
  });
});

function applyChange(text: string, [at, cut, character]: readonly [number, number, string]): string {
  const start = at % (text.length + 1);
  return text.slice(0, start) + character + text.slice(start + cut);
}

function joins(count: number): string {
  return Array.from({ length: count }, (_, n) => `JOIN t${n} ON t${n}.id = a.id`).join(' ');
}

/** These tests do not measure the time, but a slow analysis would exceed their timeout. */
describe('Hostile texts are read in time', () => {
  const megabytes = (piece: string, count = 10) => piece.repeat(sizeOf(count * 1e6) / piece.length);

  test.each([
    ['brackets', megabytes('[')],
    ['braces', megabytes('{a: ')],
    ['dashes', megabytes('- ')],
    ['keys', megabytes('a: ')],
    ['one word', megabytes('a')],
    ['one quote', `a: "${megabytes('x ', 2)}`],
    ['blanks', `a:${megabytes(' ')}b`],
    ['carriage returns', megabytes('\r')],
    ['empty lines', megabytes('\n')],
    ['comments', megabytes('# a\n')],
    ['NUL', megabytes('\0')],
    ['anchors', megabytes('&a ', 0.2)],
    ['flow collections', megabytes('[]', 0.2)],
    ['equal keys', megabytes('a:\n', 0.2)],
    ['equal sections', megabytes('streams:\n', 1)],
    ['broken sections', megabytes('a: "\n', 0.1)],
    ['comments that ignore findings', megabytes('# headwater-ignore a\n', 1)],
    ['comments that ignore findings, all on one line', `a: ${megabytes('# headwater-ignore a ', 1)}`],
    [
      'an alias bomb',
      Array.from({ length: 3_000 }, (_, n) => `a${n}: &a${n} [*a${n - 1}, *a${n - 1}]\n`).join(''),
    ],
    ['a block', `streams:\n  a:\n    query: |\n${megabytes('      a\n', 1)}`],
    ['a folded block', `streams:\n  a:\n    query: >\n${megabytes('      a\n\n', 1)}`],
    [
      '20,000 joins',
      `config:\n  edition: 3\nstreams:\n  s:\n    query: SELECT a.* FROM a ${joins(sizeOf(20_000))} WHERE a.id = auth.user_id()\n`,
    ],
    [
      'a condition with more cases than a number can express',
      `config: { edition: 3 }\nstreams:\n  a:\n    query: SELECT * FROM t WHERE ${Array.from({ length: 1_100 }, (_, n) => `(a${n} OR b${n})`).join(' AND ')}\n`,
    ],
    [
      '2,000 broken streams',
      `streams:\n${Array.from({ length: 2_000 }, (_, n) => `  s${n}:\n    query: "a\n`).join('')}`,
    ],
  ])('%s', (_, text) => {
    checkAnalysis(text);
  });

  test('2,000 streams, and one more', () => {
    const streams = Array.from(
      { length: 2_000 },
      (_, n) => `  s${n}:\n    query: SELECT * FROM t${n} WHERE a = auth.user_id()\n`,
    );
    const text = `config:\n  edition: 3\nstreams:\n${streams.join('')}`;
    const before = checkAnalysis(text);
    const after = checkAnalysis(`${text}  more:\n    query: SELECT * FROM t\n`, before);
    expect(before.config?.definitions).toHaveLength(2_000);
    expect(after.config?.definitions).toHaveLength(2_001);
  });
});
