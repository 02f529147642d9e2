/**
 * Maps the value of a scalar to its source, for each of the five styles. Nothing else knows about quotes, escapes, folded lines,
 * indentation and line ends.
 */
import { lengthOfStart } from '../text/partition.ts';
import { type Span, span } from '../text/span.ts';
import type { YamlScalar } from './nodes.ts';
import { blockRuns } from './runs/blockRuns.ts';
import { flowRuns } from './runs/flowRuns.ts';
import type { SourceRun } from './runs/runs.ts';

/**
 * Places a span of the value in the source. A span never covers the indentation or quotes at its ends, but does
 * cover what lies between. The map is built when the first question is asked.
 *
 * Example: in `'it''s'`, the value's span 3–4 (`s`) is the source's 5–6.
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

/** The offset in the value for a place in the source; the nearest one for places between its parts. */
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

/** The place of an empty value: after an opening quote or the block's header, as far as that is visible. */
function contentStart([first]: readonly SourceRun[], whole: Span): number {
  return first?.from ?? Math.min(whole.start + 1, whole.end);
}

function isVerbatim(run: SourceRun): boolean {
  return run.to - run.from === run.length;
}

/** The run that contains the offset; the last one for offsets after the value. */
function runAt(runs: readonly SourceRun[], offset: number): SourceRun | undefined {
  if (offset < 0) return undefined;
  return runs[Math.max(0, lengthOfStart(runs.length, (index) => (runs[index]?.value ?? 0) <= offset) - 1)];
}
