/**
 * Counts the values that PowerSync's service reads for a request, lookup by lookup. That service reads everything that a route may
 * need, even if another lookup of the route finds nothing, and it counts each value that it reads, including duplicates. This code
 * uses the plans of `limits/referencePlans.ts`, because that service does lookups in a different order from ours.
 */
import { failureFrom } from '../values/failure.ts';
import type { SqlValue } from '../values/value.ts';
import {
  type CompiledRequests,
  type Evaluation,
  evaluationsOf,
  type LookupAnswer,
  type Reason,
  type SyncRequest,
} from './requests.ts';
import type { CompiledRoute, Tuple } from './route.ts';

/** The read of one key of a lookup, for one route of a stream. */
export interface LookupRead {
  readonly reason: Reason;
  readonly key: string;
  /** The number of values. */
  readonly results: number;
}

type ReferenceSteps<T> = Generator<readonly string[], T, LookupAnswer>;
export type ReferenceReading = ReferenceSteps<readonly LookupRead[]>;

export function* readAsReference(
  streams: ReadonlyMap<string, CompiledRequests>,
  request: SyncRequest,
): ReferenceReading {
  const reads: LookupRead[] = [];
  for (const evaluation of evaluationsOf(streams, request))
    for (const route of evaluation.stream.routes) {
      try {
        yield* readRoute(evaluation, route, reads);
      } catch (thrown) {
        failureFrom(thrown);
        break;
      }
    }
  return reads;
}

/** Returns the values that a step has found for the values of the steps on which it depends. */
type RowsOf = (tuple: Tuple) => readonly (readonly SqlValue[])[];

function* readRoute(
  { stream, scope, reason }: Evaluation,
  { passes, steps, readsTwice }: CompiledRoute,
  reads: LookupRead[],
): ReferenceSteps<void> {
  if (!passes(scope)) return;
  const found: RowsOf[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'lookup') continue;
    const elements = step.rowsOf(scope);
    if (elements.length === 0) return;
    found[index] = () => elements;
  }
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'expand') continue;
    let tuples: readonly Tuple[] = [[]];
    for (const need of step.needs)
      tuples = tuples.flatMap((tuple) =>
        (found[need]?.(tuple) ?? []).map((row) => withRow(tuple, need, row)),
      );
    const keyOf = (tuple: Tuple) => {
      const key = step.keyOf(tuple, scope);
      return key === undefined ? undefined : `${stream.lookupNames[step.lookup]}${key}`;
    };
    const keys = tuples.flatMap((tuple) => keyOf(tuple) ?? []);
    const wanted = readsTwice ? keys : [...new Set(keys)];
    const answer: LookupAnswer = wanted.length === 0 ? new Map() : yield wanted;
    for (const key of wanted) reads.push({ reason, key, results: answer.get(key)?.length ?? 0 });
    found[index] = (tuple) => answer.get(keyOf(tuple) ?? '') ?? [];
  }
}

function withRow(tuple: Tuple, step: number, row: readonly SqlValue[]): Tuple {
  const extended = [...tuple];
  extended[step] = row;
  return extended;
}
