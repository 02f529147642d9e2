/**
 * Evaluates one way from a request to buckets: first filters, then steps that each add values, and then keys.
 *
 * A *tuple* contains the outputs of the steps so far, one entry for each step. Values of the same lookup row or element stay
 * together, and independent steps are combined. Values that must be equal are joined as soon as both sides are known, so two long
 * lists that must be equal in one key do not multiply.
 */

import type { Priority } from '../../model/definition.ts';
import { meetingsOf } from '../meetings.ts';
import type {
  BucketRoute,
  ExpandStep,
  Expansion,
  LookupStep,
  Meeting,
  RouteStep,
  RouteValue,
} from '../plan.ts';
import { failureFrom } from '../values/failure.ts';
import type { Json } from '../values/json.ts';
import { type Element, scalarElements } from '../values/jsonEach.ts';
import type { SqlValue } from '../values/value.ts';
import { toElements } from './combinations.ts';
import { type Predicate, propertyAt, toEvaluator, toPredicate } from './expression.ts';
import { bucketKeyText, exactText, toKeyWriter } from './keys.ts';
import {
  type EvaluationRules,
  type EvaluationScope,
  noRow,
  noTable,
  type RequestDocuments,
} from './scope.ts';

/** The outputs of the steps so far. */
export type Tuple = readonly (readonly SqlValue[])[];

export interface CompiledRoute {
  readonly source: number;
  /** A priority that overrides that of the stream. */
  readonly priority?: Priority;
  readonly passes: Predicate;
  readonly steps: readonly CompiledStep[];
  /** Whether the reference reads a key again each time it occurs in a list of the request, as before edition 3. */
  readonly readsTwice: boolean;
  /**
   * The index of the last step's output, if that step is a lookup and its output is the only key and is not compared with anything.
   */
  readonly lastKey: number | undefined;
  /** Returns the key text of a complete tuple; undefined if its values cannot name a bucket. */
  readonly keyOf: (tuple: Tuple, scope: EvaluationScope) => string | undefined;
}

export type CompiledStep = CompiledExpansion | CompiledLookup;

interface CompiledExpansion {
  readonly kind: 'expand';
  readonly rowsOf: (scope: EvaluationScope) => readonly (readonly SqlValue[])[];
  readonly join: Join;
}

interface CompiledLookup {
  readonly kind: 'lookup';
  /** The earlier steps on which the keys of this step depend, directly or indirectly. */
  readonly needs: readonly number[];
  readonly lookup: number;
  /** Returns the lookup key of a tuple; undefined if the tuple finds nothing. */
  readonly keyOf: (tuple: Tuple, scope: EvaluationScope) => string | undefined;
  readonly join: Join;
}

/** Joins the rows of a step with tuples: each tuple gets the rows that agree with its known values. */
type Join = (
  rows: readonly (readonly SqlValue[])[],
) => (tuple: Tuple, scope: EvaluationScope) => readonly Tuple[];

export function requestScope(request: RequestDocuments): EvaluationScope {
  return { row: noRow, table: noTable, suffix: '', elements: [], request };
}

export function compileRoute(route: BucketRoute, rules: EvaluationRules): CompiledRoute {
  const meetings = meetingsOf(route).map((meeting) => compileMeeting(meeting, rules));
  const keys = meetings.slice(0, route.keys.length);
  return {
    source: route.source,
    ...(route.priority !== undefined && { priority: route.priority }),
    passes: toPredicate(route.filter, rules),
    steps: route.steps.map((step, index) => compileStep(step, index, route.steps, meetings, rules)),
    readsTwice: route.steps.some(
      (step) => step.kind === 'expand' && step.expansion.function === 'json_array',
    ),
    // A trace reports every tuple.
    lastKey: rules.observe === undefined ? lastKey(route) : undefined,
    keyOf: compileKey(keys),
  };
}

function lastKey({ keys, steps }: BucketRoute): CompiledRoute['lastKey'] {
  const last = steps.length - 1;
  const [[key, ...equal] = [], ...more] = keys;
  if (key?.kind !== 'output' || key.step !== last || equal.length + more.length > 0) return undefined;
  return steps[last]?.kind === 'lookup' ? key.output : undefined;
}

interface CompiledMember {
  /** The index of the step that is needed, or -1 if only the request is needed. */
  readonly step: number;
  readonly read: (tuple: Tuple, scope: EvaluationScope) => SqlValue;
  /** The index of the output in its step. */
  readonly output: number;
}

type CompiledMeeting = readonly CompiledMember[];

function compileMeeting(meeting: Meeting, rules: EvaluationRules): CompiledMeeting {
  return meeting.map((value) => compileMember(value, rules));
}

function compileMember(value: RouteValue, rules: EvaluationRules): CompiledMember {
  if (value.kind === 'output') {
    const { step, output } = value;
    return { step, output, read: (tuple) => tuple[step]?.[output] ?? null };
  }
  const evaluate = toEvaluator(value.value, rules);
  return { step: -1, output: -1, read: (_, scope) => evaluate(scope) };
}

function compileStep(
  step: RouteStep,
  index: number,
  steps: readonly RouteStep[],
  meetings: readonly CompiledMeeting[],
  rules: EvaluationRules,
): CompiledStep {
  const join = compileJoin(index, meetings);
  if (step.kind === 'expand') {
    const isInput = steps.some((_, at) => needsOf(at, steps).includes(index));
    const use = isInput ? 'input of a lookup' : 'key';
    return { kind: 'expand', rowsOf: compileExpansion(step, use, rules), join };
  }
  return {
    kind: 'lookup',
    lookup: step.lookup,
    needs: needsOf(index, steps),
    keyOf: compileInputs(step, rules),
    join,
  };
}

function needsOf(index: number, steps: readonly RouteStep[]): readonly number[] {
  const step = steps[index];
  if (step?.kind !== 'lookup') return [];
  const own = step.inputs.flatMap((meeting) =>
    meeting.flatMap((value) => (value.kind === 'output' ? [value.step] : [])),
  );
  return [...new Set(own.flatMap((need) => [...needsOf(need, steps), need]))].sort((a, b) => a - b);
}

function compileInputs(step: LookupStep, rules: EvaluationRules): CompiledLookup['keyOf'] {
  const inputs = step.inputs.map((input) => compileMeeting(input, rules));
  return compileKey(inputs);
}

function compileKey(meetings: readonly CompiledMeeting[]): CompiledLookup['keyOf'] {
  const [only, ...more] = meetings;
  const [first, ...others] = only ?? [];
  if (first !== undefined && more.length + others.length === 0) {
    const write = toKeyWriter('');
    return (tuple, scope) => write(first.read(tuple, scope));
  }
  return (tuple, scope) => valuesKey(meetings, tuple, scope);
}

function valuesKey(
  meetings: readonly CompiledMeeting[],
  tuple: Tuple,
  scope: EvaluationScope,
): string | undefined {
  const values: SqlValue[] = [];
  for (const meeting of meetings) {
    const [first, ...others] = meeting;
    if (first === undefined) return undefined;
    const value = first.read(tuple, scope);
    if (others.some((other) => exactText(other.read(tuple, scope)) !== exactText(value))) return undefined;
    values.push(value);
  }
  return bucketKeyText(values);
}

function compileExpansion(
  step: ExpandStep,
  use: 'key' | 'input of a lookup',
  rules: EvaluationRules,
): CompiledExpansion['rowsOf'] {
  const elementsOf = requestElements(step.expansion, use, rules);
  const passes = toPredicate(step.filter, rules);
  const outputs = step.outputs.map((output) => toEvaluator(output, rules));
  return (scope) => {
    const rows: SqlValue[][] = [];
    for (const element of elementsOf(scope)) {
      const inner = { ...scope, elements: [element] };
      if (passes(inner)) rows.push(outputs.map((output) => output(inner)));
    }
    return rows;
  };
}

/**
 * Returns the elements of a request value. Before edition 3, a value that is not an array has no elements, which is not a failure.
 * A text that is not JSON fails if its elements are bucket keys; a lookup finds nothing with it.
 */
function requestElements(
  expansion: Expansion,
  use: 'key' | 'input of a lookup',
  rules: EvaluationRules,
): (scope: EvaluationScope) => readonly Element[] {
  const elements = toElements(expansion, rules);
  if (expansion.function !== 'json_array') return elements;
  const listOf = listOfParameter(expansion);
  return (scope) => {
    const list = listOf(scope);
    if (Array.isArray(list)) return scalarElements(list);
    try {
      return elements(scope);
    } catch (thrown) {
      const failure = failureFrom(thrown);
      if (use === 'key' && failure.code !== 'not-a-json-array') throw failure;
      return [];
    }
  };
}

/**
 * Returns a reader for the lists of `connection.parameter('x')` and `user_parameters.x`, whose booleans are numbers. Other lists
 * contain no booleans.
 */
function listOfParameter({ args: [list] }: Expansion): (scope: EvaluationScope) => Json | undefined {
  if (list?.kind !== 'request' || list.part !== 'connection') return () => undefined;
  const { path } = list;
  return ({ request }) => (path === undefined ? undefined : propertyAt(request.connection?.json, path));
}

/** A pair of an output of this step and a value that was known before the step. */
interface Link {
  readonly output: number;
  readonly known: CompiledMember;
}

function compileJoin(step: number, meetings: readonly CompiledMeeting[]): Join {
  const links = meetings.flatMap((meeting) => linksOf(meeting, step));
  if (links.length === 0) return (rows) => (tuple) => rows.map((row) => [...tuple, row]);
  return (rows) => {
    const byValues = new Map<string, (readonly SqlValue[])[]>();
    for (const row of rows) {
      const text = linkText(links.map(({ output }) => row[output] ?? null));
      const alike = byValues.get(text);
      if (alike === undefined) byValues.set(text, [row]);
      else alike.push(row);
    }
    return (tuple, scope) => {
      const known = linkText(links.map((link) => link.known.read(tuple, scope)));
      return (byValues.get(known) ?? []).map((row) => [...tuple, row]);
    };
  };
}

function linkText(values: readonly SqlValue[]): string {
  return values.map(exactText).join();
}

function linksOf(meeting: CompiledMeeting, step: number): readonly Link[] {
  const known = meeting.find((member) => member.step < step);
  if (known === undefined) return [];
  return meeting.filter((member) => member.step === step).map(({ output }) => ({ output, known }));
}
