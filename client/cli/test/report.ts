/** The results of tests for people: failures, their reasons, and a summary. */
import { harmless, type Paint } from '../colours.ts';
import { countNoun, textLines } from '../validate/text.ts';
import type { CoveredStream, Failure, FileResults, Result, TestPlace } from './results.ts';

export function reportLines(
  files: readonly FileResults[],
  paint: Paint,
  isQuiet: boolean,
): readonly string[] {
  const lines = files.flatMap((file) => linesOfFile(file, paint, isQuiet));
  return isQuiet || files.length === 0 ? lines : [...lines, summaryOf(files)];
}

function linesOfFile(
  { path, text, diagnostics, results }: FileResults,
  paint: Paint,
  isQuiet: boolean,
): string[] {
  const shown = isQuiet ? results.filter((result) => wordOf(result) !== 'passed') : results;
  return [
    ...textLines([{ path, kind: 'tests', text, diagnostics }], paint, true).filter(
      () => diagnostics.length > 0,
    ),
    ...(shown.length > 0 ? [paint.bold(path)] : []),
    ...shown.flatMap((result) => linesOfResult(result, paint)),
  ];
}

/** Returns the word for a result. A claim that is neither proven nor refuted has not passed. */
export function wordOf({ failures, verdict }: Result): 'passed' | 'not refuted' | 'failed' {
  if (failures.length > 0) return 'failed';
  return verdict === 'not refuted' ? verdict : 'passed';
}

const tints = { passed: 'green', 'not refuted': 'yellow', failed: 'red' } as const;

function linesOfResult(result: Result, paint: Paint): string[] {
  const { name, failures, note } = result;
  const word = wordOf(result);
  const head = `  ${paint[tints[word]](word)}  ${harmless(name)}${note === undefined ? '' : paint.dim(` (${note})`)}`;
  return [head, ...failures.flatMap((failure) => linesOfFailure(failure, paint))];
}

function linesOfFailure({ message, place, expected, actual, reasons }: Failure, paint: Paint): string[] {
  return [
    `    ${placeText(place)} ${harmless(message)}`,
    ...(expected === '' && actual === ''
      ? []
      : [
          paint.green(`      expected ${harmless(expected)}`),
          paint.red(`      has      ${harmless(actual)}`),
        ]),
    ...reasons.map(
      ({ text, place: at }) =>
        `      ${harmless(text)}${at === undefined ? '' : paint.dim(` (${placeText(at)})`)}`,
    ),
  ];
}

export function placeText({ path, start }: TestPlace): string {
  return `${path}:${start.line + 1}:${start.character + 1}`;
}

/** Returns a summary such as `3 tests passed, 1 failed in 1 file`. */
function summaryOf(files: readonly FileResults[]): string {
  const results = files.flatMap((file) => file.results);
  const count = (word: ReturnType<typeof wordOf>) =>
    results.filter((result) => wordOf(result) === word).length;
  const open = count('not refuted');
  const unread = files.filter(({ config }) => config === undefined).length;
  return `${countNoun(count('passed'), 'test')} passed, ${open > 0 ? `${open} not refuted, ` : ''}${count('failed')} failed in ${countNoun(files.length, 'file')}${unread > 0 ? `, ${unread} of which could not be run` : ''}`;
}

/** Returns the conditions that no test has exercised, stream by stream. */
export function coverageLines(streams: readonly CoveredStream[], paint: Paint): readonly string[] {
  return streams.flatMap((stream) => {
    const { given, refused, conditions, share } = stream;
    const head = `${paint.bold(stream.stream)} ${Math.floor(share * 100)} % covered ${paint.dim(placeText(stream.place))}`;
    return [
      head,
      ...(given === 0 ? ['  no user got a row of it'] : []),
      ...(given > 0 && refused === 0
        ? [paint.yellow('  no user was refused a row of it: check whether it is meant for all users')]
        : []),
      ...conditions.flatMap(({ sql, wasTrue, wasFalse, place }) => {
        const never = [...(wasTrue === 0 ? ['true'] : []), ...(wasFalse === 0 ? ['false'] : [])];
        return never.length === 0
          ? []
          : [`  \`${harmless(sql)}\` was never ${never.join(' or ')} ${paint.dim(placeText(place))}`];
      }),
    ];
  });
}
