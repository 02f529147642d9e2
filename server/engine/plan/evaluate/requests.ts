/**
 * The request side: who asks, with which subscriptions → the buckets, with reasons and priorities.
 *
 * Written as a generator: it yields the lookup keys that it needs, all of one stage at once, and is resumed with
 * what they hold. So the same code runs over a storage that must be waited for and over a map.
 */
import { groupBy } from '../../ground/group.ts';
import type { Priority } from '../../model/definition.ts';
import { fail, failureFrom, type RuntimeCode } from '../values/failure.ts';
import type { SqlValue } from '../values/value.ts';
import { toKeyWriter } from './keys.ts';
import { type CompiledRoute, type CompiledStep, requestScope, type Tuple } from './route.ts';
import type { EvaluationScope, RequestDocument, RequestDocuments } from './scope.ts';

export interface Subscription {
  readonly stream: string;
  /** Absent: `{}`. */
  readonly parameters?: RequestDocument;
  /** Absent: that of the stream. */
  readonly priority?: Priority;
}

export interface SyncRequest {
  readonly claims: RequestDocument;
  readonly connection: RequestDocument;
  readonly subscriptions: readonly Subscription[];
  /** Whether streams with `auto_subscribe` are given without asking. */
  readonly includeDefaults: boolean;
}

/** Why a client gets a bucket: a stream that is given without asking, or one of its subscriptions, by index. */
export interface Reason {
  readonly stream: string;
  readonly subscription: 'default' | number;
}

export interface GivenBucket {
  readonly bucket: string;
  /** The most urgent one of its reasons. */
  readonly priority: Priority;
  readonly reasons: readonly Reason[];
  /** Rows of the source led to it, not the request alone. */
  readonly lookedUp: boolean;
}

/** An error of an evaluation. Other routes than those that have it are not touched by it. */
interface RequestFailure {
  readonly reason: Reason;
  readonly code: RuntimeCode;
  /** The routes that select no buckets, by their index in the stream. */
  readonly routes: readonly number[];
}

export interface RequestResult {
  readonly buckets: readonly GivenBucket[];
  readonly failures: readonly RequestFailure[];
  /** Every lookup key that was asked: when one of them changes, the result may change. */
  readonly lookups: readonly string[];
}

/** For each key that was asked, the value sets under it. */
export type LookupAnswer = ReadonlyMap<string, readonly (readonly SqlValue[])[]>;

/** If there are more value sets than are read, only the routes that need them fail. */
export type BoundedAnswer = ReadonlyMap<string, readonly (readonly SqlValue[])[] | 'too-many'>;

export type RequestEvaluation = Generator<readonly string[], RequestResult, BoundedAnswer>;

/** A stream or definition, compiled. */
export interface CompiledRequests {
  readonly name: string;
  readonly isDefault: boolean;
  readonly priority: Priority;
  readonly sourceNames: readonly string[];
  readonly lookupNames: readonly string[];
  readonly routes: readonly CompiledRoute[];
}

const emptyDocument: RequestDocument = { text: '{}', json: {} };

export function evaluateRequest(
  streams: ReadonlyMap<string, CompiledRequests>,
  request: SyncRequest,
): RequestEvaluation {
  return evaluateAll([...evaluationsOf(streams, request)]);
}

export function* evaluateAll(evaluations: readonly Evaluation[]): RequestEvaluation {
  const walks = evaluations.flatMap(startWalks);
  const asked = new Set<string>();
  for (;;) {
    const wanted = new Set(walks.flatMap(advance));
    if (wanted.size === 0) break;
    for (const key of wanted) asked.add(key);
    const answer = yield [...wanted];
    for (const walk of walks) take(walk, answer);
  }
  return { ...collect(walks), lookups: [...asked] };
}

/** A stream to be evaluated for one reason. */
export interface Evaluation {
  readonly stream: CompiledRequests;
  readonly reason: Reason;
  /** Asked for by the client, instead of that of the stream. */
  readonly priority?: Priority;
  readonly scope: EvaluationScope;
}

export function* evaluationsOf(
  streams: ReadonlyMap<string, CompiledRequests>,
  request: SyncRequest,
): Iterable<Evaluation> {
  const documents: RequestDocuments = {
    auth: request.claims,
    connection: request.connection,
    subscription: undefined,
  };
  if (request.includeDefaults) {
    const scope = requestScope(documents);
    for (const stream of streams.values()) {
      const reason: Reason = { stream: stream.name, subscription: 'default' };
      if (stream.isDefault) yield { stream, reason, scope };
    }
  }
  for (const [index, { stream: name, parameters, priority }] of request.subscriptions.entries()) {
    const stream = streams.get(name);
    if (stream === undefined) continue;
    const scope = requestScope({ ...documents, subscription: parameters ?? emptyDocument });
    const reason: Reason = { stream: name, subscription: index };
    yield { stream, reason, ...(priority !== undefined && { priority }), scope };
  }
}

/** One route in progress. A failure ends this route only. */
interface Walk {
  readonly evaluation: Evaluation;
  readonly route: CompiledRoute;
  failed?: RuntimeCode;
  tuples: readonly Tuple[];
  /** Instead of tuples: see {@link keysIn}. */
  keys: ReadonlySet<SqlValue>;
  step: number;
  /** The key that each of the tuples waits for, while the walk is before a lookup. */
  waiting: readonly string[];
}

const noKeys: ReadonlySet<SqlValue> = new Set();

function startWalks(evaluation: Evaluation): readonly Walk[] {
  return evaluation.stream.routes.map((route) => {
    const walk: Walk = { evaluation, route, tuples: [], keys: noKeys, step: 0, waiting: [] };
    guard(walk, () => {
      if (route.passes(evaluation.scope)) walk.tuples = [[]];
    });
    return walk;
  });
}

/** Runs the steps up to the next lookup, and returns the keys that it needs. */
function advance(walk: Walk): readonly string[] {
  walk.waiting = [];
  guard(walk, () => {
    for (; walk.tuples.length > 0; walk.step += 1) {
      const step = walk.route.steps[walk.step];
      if (step === undefined || step.kind === 'lookup') break;
      const join = step.join(step.rowsOf(walk.evaluation.scope));
      walk.tuples = extend(walk.tuples, (tuple) => join(tuple, walk.evaluation.scope));
    }
    const step = walk.route.steps[walk.step];
    if (step !== undefined) askLookup(walk, step);
  });
  return walk.waiting;
}

/** A tuple whose values can be no key, such as NULL, finds nothing and ends here. */
function askLookup(walk: Walk, step: CompiledStep): void {
  if (step.kind !== 'lookup') return;
  const { stream, scope } = walk.evaluation;
  const name = stream.lookupNames[step.lookup] as string;
  const tuples: Tuple[] = [];
  const waiting: string[] = [];
  for (const tuple of walk.tuples) {
    const key = step.keyOf(tuple, scope);
    if (key === undefined) continue;
    tuples.push(tuple);
    waiting.push(name + key);
  }
  walk.tuples = tuples;
  walk.waiting = waiting;
}

function take(walk: Walk, answer: BoundedAnswer): void {
  const step = walk.route.steps[walk.step];
  if (step?.kind !== 'lookup') return;
  const { scope } = walk.evaluation;
  guard(walk, () => {
    const found = walk.waiting.map((key) => answer.get(key) ?? []);
    if (!allFit(found)) fail('too-many-results');
    const keys = keysIn(walk, found);
    if (keys !== undefined) {
      walk.keys = keys;
      walk.tuples = [];
    } else
      walk.tuples = extend(walk.tuples, (tuple, i) => step.join(distinctRows(found[i] ?? []))(tuple, scope));
    walk.step += 1;
  });
}

type Rows = readonly (readonly SqlValue[])[];

function allFit(found: readonly (Rows | 'too-many')[]): found is readonly Rows[] {
  return !found.includes('too-many');
}

/**
 * Most routes end with a lookup whose values are the keys: each is kept once, and no tuple is made, which takes a third of
 * the time. Undefined if values of several classes may be one key, as 1 and 1.0 are, and where tuples may be too many.
 */
function keysIn({ route, step }: Walk, found: readonly Rows[]): ReadonlySet<SqlValue> | undefined {
  const { lastKey, steps } = route;
  if (lastKey === undefined || step < steps.length - 1) return undefined;
  if (found.reduce((sum, rows) => sum + rows.length, 0) > mostTuples) return undefined;
  const type = typeof found.find(({ length }) => length > 0)?.[0]?.[lastKey];
  if (type !== 'string' && type !== 'bigint') return undefined;
  const keys = new Set<SqlValue>();
  for (const rows of found)
    for (const row of rows) {
      const value = row[lastKey];
      if (value === undefined || typeof value !== type) return undefined;
      keys.add(value);
    }
  return keys;
}

/** Far more than the buckets that a client may have: counting more is not worth the memory. */
const mostTuples = 100_000;

function extend(
  tuples: readonly Tuple[],
  more: (tuple: Tuple, index: number) => readonly Tuple[],
): readonly Tuple[] {
  const extended: Tuple[] = [];
  for (const [index, tuple] of tuples.entries()) {
    for (const each of more(tuple, index)) extended.push(each);
    if (extended.length > mostTuples) fail('too-many-results');
  }
  return extended;
}

/** Several rows may give the same values. */
export function distinctRows(rows: readonly (readonly SqlValue[])[]): readonly (readonly SqlValue[])[] {
  if (rows.length < 2) return rows;
  return distinctSingles(rows) ?? distinctByText(rows);
}

/** Returns the distinct values of single values without bytes, which can be compared directly. */
function distinctSingles(
  rows: readonly (readonly SqlValue[])[],
): readonly (readonly SqlValue[])[] | undefined {
  const values = new Set<SqlValue | undefined>();
  const distinct: (readonly SqlValue[])[] = [];
  for (const row of rows) {
    const value = row[0];
    if (row.length !== 1 || (typeof value === 'object' && value !== null)) return undefined;
    const { size } = values.add(value);
    if (size > distinct.length) distinct.push(row);
  }
  return distinct;
}

function distinctByText(rows: readonly (readonly SqlValue[])[]): readonly (readonly SqlValue[])[] {
  const byText = new Map(rows.map((row) => [row.map(distinctText).join(), row]));
  return [...byText.values()];
}

/** The length keeps a text from being read as a list of others. */
function distinctText(value: SqlValue): string {
  return typeof value === 'string' ? `${value.length}:${value}` : `${typeof value}${value}`;
}

function guard(walk: Walk, run: () => void): void {
  try {
    run();
  } catch (thrown) {
    walk.failed = failureFrom(thrown).code;
    walk.tuples = [];
    walk.keys = noKeys;
    walk.waiting = [];
  }
}

type Bucket = { -readonly [K in keyof GivenBucket]: GivenBucket[K] };

function collect(walks: readonly Walk[]): Pick<RequestResult, 'buckets' | 'failures'> {
  const buckets: Bucket[] = [];
  const byName = new Map<string, Bucket>();
  const sources = groupBy(walks.filter(isOpen), sourceOf);
  for (const walk of walks) {
    const { stream, reason, scope } = walk.evaluation;
    const priority = walk.evaluation.priority ?? walk.route.priority ?? stream.priority;
    const lookedUp = walk.route.steps.some(({ kind }) => kind === 'lookup');
    const name = sourceOf(walk);
    const reasons = [reason];
    const write = toKeyWriter(name);
    const give = (bucket: string) => {
      const known = byName.get(bucket);
      if (known === undefined) {
        const given = { bucket, priority, reasons, lookedUp };
        byName.set(bucket, given);
        buckets.push(given);
      } else {
        known.lookedUp ||= lookedUp;
        known.priority = Math.min(known.priority, priority) as Priority;
        if (!known.reasons.includes(reason)) known.reasons = [...known.reasons, reason];
      }
    };
    // Keys are given once, so no other walk can give the same bucket: to look for each takes half of the time.
    const isAlone = sources.get(name)?.length === 1;
    guard(walk, () => {
      for (const value of walk.keys) {
        const bucket = write(value);
        if (bucket === undefined) continue;
        if (isAlone) buckets.push({ bucket, priority, reasons, lookedUp });
        else give(bucket);
      }
      for (const tuple of walk.tuples) {
        const key = walk.route.keyOf(tuple, scope);
        if (key !== undefined) give(name + key);
      }
    });
  }
  return { buckets, failures: failuresOf(walks) };
}

function isOpen({ tuples, keys }: Walk): boolean {
  return tuples.length + keys.size > 0;
}

/** Returns the prefix of the names of its buckets. */
function sourceOf({ evaluation, route }: Walk): string {
  return evaluation.stream.sourceNames[route.source] as string;
}

/** Returns one failure for each code of an evaluation, however many of its routes have it. */
function failuresOf(walks: readonly Walk[]): readonly RequestFailure[] {
  const failed = walks.flatMap(({ failed: code, evaluation: { reason, stream }, route }) =>
    code === undefined ? [] : [{ reason, code, route: stream.routes.indexOf(route) }],
  );
  return [...groupBy(failed, ({ reason }) => reason).values()].flatMap((ofReason) =>
    [...groupBy(ofReason, ({ code }) => code)].map(([code, alike]) => ({
      reason: (alike[0] as { reason: Reason }).reason,
      code,
      routes: alike.map(({ route }) => route),
    })),
  );
}
