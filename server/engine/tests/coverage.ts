/**
 * Measures the coverage of tests: for each condition of each query, whether it was ever true and ever false; and for each stream,
 * whether any user got a row of it, and whether a row was refused to any user.
 */
import type { RuleTrace } from '../plan/evaluate/traceRow.ts';
import type { Origin } from '../plan/expression.ts';
import type { Meeting, StreamPlan } from '../plan/plan.ts';
import { toSqlRow } from '../plan/values/source.ts';
import type { Span } from '../text/span.ts';
import { syncRequestOf } from './device.ts';
import type { TestMoment, TestOutcome } from './outcomes.ts';
import { answerFrom, type TestedRow } from './rowIndex.ts';
import { runTests, type TestWorld } from './run.ts';
import type { TestSubject } from './subject.ts';
import type { TestFile } from './testFile.ts';

export interface CoveredCondition {
  readonly sql: string;
  /** The place of the condition in the config. */
  readonly span: Span;
  readonly wasTrue: number;
  readonly wasFalse: number;
}

export interface StreamCoverage {
  readonly stream: string;
  readonly span: Span;
  /** The numbers of rows that a user got, and of rows that a user did not get. Rows are counted separately for each user. */
  readonly given: number;
  readonly refused: number;
  /** The number of tests with a row that the stream reads. */
  readonly tests: number;
  readonly conditions: readonly CoveredCondition[];
  /** The share of possible outcomes that have occurred, from 0 to 1. */
  readonly share: number;
}

interface Counts {
  wasTrue: number;
  wasFalse: number;
}

interface StreamCounts {
  given: number;
  refused: number;
  readonly tests: Set<TestMoment['test']>;
  /** The conditions by place. */
  readonly conditions: Map<string, Counts & { readonly at: Origin }>;
}

export function coverTests(
  file: TestFile,
  subject: TestSubject,
  world: TestWorld,
): { readonly outcomes: readonly TestOutcome[]; readonly streams: readonly StreamCoverage[] } {
  const counts = new Map(subject.plans.map((plan) => [plan.name, emptyCounts(plan)]));
  const traces = new WeakMap<TestedRow['values'], readonly RuleTrace[]>();
  const tracesOf = ({ table, values }: TestedRow): readonly RuleTrace[] => {
    const { options } = subject.config.surroundings;
    const known =
      traces.get(values) ?? subject.tracer().row(subject.tableNamed(table), toSqlRow(values, options));
    traces.set(values, known);
    return known;
  };
  const observe = (moment: TestMoment): void => {
    world.observe?.(moment);
    count(moment, subject, counts, tracesOf);
  };
  const outcomes = runTests(file, subject, { ...world, observe });
  return { outcomes, streams: [...counts].map(([stream, each]) => coverageOf(stream, each, subject)) };
}

/** Returns counts for all conditions, including those that no row and no request reaches. */
function emptyCounts({ sources, lookups, routes }: StreamPlan): StreamCounts {
  const conditions: StreamCounts['conditions'] = new Map();
  const add = (at: Origin): void => {
    if (!conditions.has(keyOf(at))) conditions.set(keyOf(at), { at, wasTrue: 0, wasFalse: 0 });
  };
  for (const { filter } of [...sources.flatMap(({ rules }) => rules), ...lookups, ...routes])
    for (const { at } of filter) add(at);
  for (const { keys, steps } of routes) {
    for (const at of comparedAt(keys)) add(at);
    for (const step of steps) if (step.kind === 'lookup') for (const at of comparedAt(step.inputs)) add(at);
  }
  return { given: 0, refused: 0, tests: new Set(), conditions };
}

/**
 * Returns the places of comparisons. A key that only passes a value on is not a separate condition, because its step is already
 * counted.
 */
function comparedAt(meetings: readonly Meeting[]): readonly Origin[] {
  return meetings.flat().flatMap((value) => (value.kind === 'request' ? [value.at] : []));
}

/** The trace of one route, for one of the reasons to evaluate its stream. */
type RouteTrace = ReturnType<typeof tracedRoutes>[number];

function tracedRoutes({ asking, database }: TestMoment, subject: TestSubject) {
  return answerFrom(database, subject.tracer().request(syncRequestOf(asking))).routes;
}

function count(
  observed: TestMoment,
  subject: TestSubject,
  counts: ReadonlyMap<string, StreamCounts>,
  tracesOf: (row: TestedRow) => readonly RuleTrace[],
): void {
  const { database, device } = observed;
  const routes = tracedRoutes(observed, subject);
  const given = new Set(device.request.buckets.map(({ bucket }) => bucket));
  const note = (stream: string, at: Origin, isTrue: boolean): void => {
    const known = counts.get(stream)?.conditions.get(keyOf(at));
    if (known === undefined) return;
    if (isTrue) known.wasTrue += 1;
    else known.wasFalse += 1;
  };
  const ways = subject.plans.map((plan) => {
    const own = routes.filter(({ reason }) => reason.stream === plan.name);
    return {
      plan,
      own: own.map((trace, index) => ({ trace, route: plan.routes[index % plan.routes.length] })),
    };
  });
  for (const row of database.rows)
    for (const rule of tracesOf(row)) {
      for (const { conditions } of rule.combinations)
        for (const { at, holds } of conditions) note(rule.stream, at, holds);
      const way = ways.find(({ plan }) => plan.name === rule.stream);
      if (way === undefined) continue;
      for (const { trace, route } of way.own)
        if (route !== undefined) countComparisons(rule, trace, route, way.plan, note);
      const of = counts.get(rule.stream);
      if (rule.side === 'lookup' || of === undefined) continue;
      of.tests.add(observed.test);
      if (rule.rows.some(({ bucket }) => given.has(bucket))) of.given += 1;
      else of.refused += 1;
    }
  for (const { reason, conditions } of routes)
    for (const { at, holds } of conditions) note(reason.stream, at, holds);
}

/** Counts comparisons. One is true if the request's value equals that of a row whose bucket or lookup entry is requested. */
function countComparisons(
  rule: RuleTrace,
  trace: RouteTrace,
  { source, keys, steps }: StreamPlan['routes'][number],
  { sources, lookups }: StreamPlan,
  note: (stream: string, at: Origin, isTrue: boolean) => void,
): void {
  const { stream } = rule;
  if (sources[source]?.rules.some(({ at }) => at === rule.at))
    for (const { bucket } of rule.rows)
      for (const at of comparedAt(keys)) note(stream, at, trace.buckets.includes(bucket));
  steps.forEach((step, index) => {
    if (step.kind !== 'lookup' || lookups[step.lookup]?.at !== rule.at) return;
    const asked = trace.steps[index]?.asked ?? [];
    for (const { key } of rule.entries)
      for (const at of comparedAt(step.inputs)) note(stream, at, asked.includes(key.slice(key.indexOf('['))));
  });
}

function keyOf({ text, span }: Origin): string {
  return `${text}:${span.start}-${span.end}`;
}

function coverageOf(
  stream: string,
  { given, refused, tests, conditions }: StreamCounts,
  subject: TestSubject,
): StreamCoverage {
  const covered = [...conditions.values()]
    .map(({ at, wasTrue, wasFalse }) => ({ ...subject.placeOf(stream, at), wasTrue, wasFalse }))
    .sort((a, b) => a.span.start - b.span.start);
  const outcomes = [given, refused, ...covered.flatMap((each) => [each.wasTrue, each.wasFalse])];
  return {
    stream,
    span: subject.placeOfStream(stream),
    given,
    refused,
    tests: tests.size,
    conditions: covered,
    share: outcomes.filter((times) => times > 0).length / outcomes.length,
  };
}
