/**
 * Maps the value of a scalar to its source, for each of the five styles. No other code handles quotes, escapes, folded lines,
 * indentation and line endings.
 */
import { lengthOfStart } from '../text/partition.ts';
import { type Span, span } from '../text/span.ts';
import type { YamlScalar } from './nodes.ts';
import { blockRuns } from './runs/blockRuns.ts';
import { flowRuns } from './runs/flowRuns.ts';
import type { SourceRun } from './runs/runs.ts';

/**
 * Returns a function that converts spans of the value to spans of the source. A span never includes the indentation or quotes at
 * its ends, but it does include those inside. The map is built at the first call.
 *
 * Example: in `'it''s'`, the value's span 3–4 (`s`) is the source's span 5–6.
 */
export function sourceMap(source: string, scalar: YamlScalar): (inValue: Span) => Span {
  let runs: readonly SourceRun[] | undefined;
  return ({ start, end }) => {
    runs ??= runsOf(source, scalar);
    const { length } = scalar.text;
    if (end > start)
      return span(startOf(runs, start, scalar), endOf(runs, Math.min(end, length) - 1, scalar));
    const at = start < length ? startOf(runs, start, scalar) : endOf(runs, length - 1, scalar);
    return span(at, at);
  };
}

/** Returns the offset in the value for a place in the source. For places between its parts, that is the nearest offset. */
export function offsetInValue(source: string, scalar: YamlScalar, at: number): number {
  const runs = runsOf(source, scalar);
  const run = runs.findLast(({ from }) => from <= at);
  if (run === undefined) return 0;
  if (at >= run.to) return Math.min(run.value + run.length, scalar.text.length);
  return isVerbatim(run) ? run.value + at - run.from : run.value;
}

function runsOf(source: string, scalar: YamlScalar): SourceRun[] {
  return scalar.style === 'literal' || scalar.style === 'folded'
    ? blockRuns(source, scalar)
    : flowRuns(source, scalar);
}

function startOf(runs: readonly SourceRun[], offset: number, { span: whole }: YamlScalar): number {
  const run = runAt(runs, offset);
  if (run === undefined) return contentStart(runs, whole);
  return isVerbatim(run) ? run.from + offset - run.value : run.from;
}

function endOf(runs: readonly SourceRun[], offset: number, { span: whole }: YamlScalar): number {
  const run = runAt(runs, offset);
  if (run === undefined) return contentStart(runs, whole);
  return isVerbatim(run) ? run.from + offset - run.value + 1 : run.to;
}

/** Returns the place of an empty value: after an opening quote or the header of the block, as far as that is visible. */
function contentStart([first]: readonly SourceRun[], whole: Span): number {
  return first?.from ?? Math.min(whole.start + 1, whole.end);
}

function isVerbatim(run: SourceRun): boolean {
  return run.to - run.from === run.length;
}

/** Returns the run that contains the offset, or the last run for offsets after the value. */
function runAt(runs: readonly SourceRun[], offset: number): SourceRun | undefined {
  if (offset < 0) return undefined;
  return runs[Math.max(0, lengthOfStart(runs.length, (index) => (runs[index]?.value ?? 0) <= offset) - 1)];
}
