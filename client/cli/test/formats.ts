/** The values of `--format` and `--coverage` other than text. */
import type { Paint } from '../colours.ts';
import { annotation, githubLines } from '../validate/github.ts';
import { xml } from '../validate/junit.ts';
import { placeText, reportLines, wordOf } from './report.ts';
import type { CoveredStream, FileResults, Result, TestPlace } from './results.ts';

type Format = (
  files: readonly FileResults[],
  paint: Paint,
  isQuiet: boolean,
) => readonly string[] | { readonly json: unknown };

export const testFormats = {
  text: reportLines,
  json: (files) => ({ json: { files: files.map(({ text: _, ...file }) => file) } }),
  github: (files) => [
    ...githubLines(files.map((file) => ({ ...file, kind: 'tests' }))),
    ...files.flatMap(({ results }) =>
      results.flatMap(({ name, failures, note, ...result }) => [
        ...(result.verdict === 'not refuted' && failures.length === 0
          ? [annotation('warning', { ...atPlace(result.place), title: name }, `not refuted: ${note}`)]
          : []),
        ...failures.map(({ message, place: { path, ...range }, reasons }) =>
          annotation(
            'error',
            { path, range, title: name },
            [message, ...reasons.map(({ text }) => text)].join('\n'),
          ),
        ),
      ]),
    ),
  ],
  junit: junitLines,
} as const satisfies Record<string, Format>;

function atPlace({ path, ...range }: TestPlace): {
  readonly path: string;
  readonly range: Omit<TestPlace, 'path'>;
} {
  return { path, range };
}

function junitLines(files: readonly FileResults[]): readonly string[] {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    ...files.flatMap((file) => {
      const { path, diagnostics, results } = file;
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      const failed = results.filter(({ failures }) => failures.length > 0).length;
      return [
        `  <testsuite name="${xml(path)}" tests="${results.length + (errors.length > 0 ? 1 : 0)}" failures="${failed + (errors.length > 0 ? 1 : 0)}">`,
        ...(errors.length > 0
          ? [
              `    <testcase name="can be read" classname="${xml(path)}">`,
              ...failureLines(
                errors.map(({ message, range: { start, end } }) => ({
                  message,
                  text: `${placeText({ path, start, end })} ${message}`,
                })),
              ),
              '    </testcase>',
            ]
          : []),
        ...results.flatMap((result) => caseLines(path, result)),
        '  </testsuite>',
      ];
    }),
    '</testsuites>',
  ];
}

function caseLines(path: string, result: Result): readonly string[] {
  const { name, failures, note } = result;
  const head = `    <testcase name="${xml(name)}" classname="${xml(path)}"`;
  if (wordOf(result) === 'not refuted')
    return [`${head}>`, `      <skipped message="${xml(`not refuted: ${note}`)}"/>`, '    </testcase>'];
  if (failures.length === 0) return [`${head}/>`];
  const lines = failures.map(({ message, place, expected, actual, reasons }) => ({
    message,
    text: [
      `${placeText(place)} ${message}`,
      ...(expected === '' && actual === '' ? [] : [`expected ${expected}`, `has ${actual}`]),
      ...reasons.map(({ text, place: at }) => (at === undefined ? text : `${text} (${placeText(at)})`)),
    ].join('\n'),
  }));
  return [`${head}>`, ...failureLines(lines), '    </testcase>'];
}

function failureLines(
  failures: readonly { readonly message: string; readonly text: string }[],
): readonly string[] {
  const [first] = failures;
  return [
    `      <failure message="${xml(first?.message ?? '')}">${xml(failures.map(({ text }) => text).join('\n'))}</failure>`,
  ];
}

/** The format of `lcov`: a line for each query and condition, a branch for each of its two values. */
export function lcovLines(config: string, streams: readonly CoveredStream[]): readonly string[] {
  const lines = new Map<number, number>();
  const count = (line: number, times: number): void => {
    lines.set(line, Math.max(lines.get(line) ?? 0, times));
  };
  const branches = streams.flatMap(({ place, given, refused, conditions }, stream) => {
    count(place.start.line + 1, given);
    const rows = [
      `BRDA:${place.start.line + 1},${stream},0,${given}`,
      `BRDA:${place.start.line + 1},${stream},1,${refused}`,
    ];
    const inside = conditions.flatMap(({ place: { start }, wasTrue, wasFalse }, index) => {
      count(start.line + 1, wasTrue + wasFalse);
      return [
        `BRDA:${start.line + 1},${stream},${2 * index + 2},${wasTrue}`,
        `BRDA:${start.line + 1},${stream},${2 * index + 3},${wasFalse}`,
      ];
    });
    return [...rows, ...inside];
  });
  return [
    `SF:${config}`,
    ...branches,
    ...[...lines].sort(([a], [b]) => a - b).map(([line, times]) => `DA:${line},${times}`),
    'end_of_record',
  ];
}
