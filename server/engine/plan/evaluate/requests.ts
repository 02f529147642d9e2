/**
 * Evaluates requests: `user and subscriptions → buckets, with reasons and priorities`.
 *
 * The code is a generator: it yields the lookup keys that it needs, all of one stage at once, and is resumed with their values. So
 * the same code works with an asynchronous storage and with a map.
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
  /** The subscription parameters. Absent: `{}`. */
  readonly parameters?: RequestDocument;
  /** The requested priority. Absent: that of the stream. */
  readonly priority?: Priority;
}

export interface SyncRequest {
  readonly claims: RequestDocument;
  readonly connection: RequestDocument;
  readonly subscriptions: readonly Subscription[];
  /** Whether to include streams with `auto_subscribe`, to which clients need not subscribe. */
  readonly includeDefaults: boolean;
}

/** Why a client gets a bucket: a stream that needs no subscription, or the index of one of its subscriptions. */
export interface Reason {
  readonly stream: string;
  readonly subscription: 'default' | number;
}

export interface GivenBucket {
  readonly bucket: string;
  /** The highest priority among its reasons. */
  readonly priority: Priority;
  readonly reasons: readonly Reason[];
  /** Whether rows of the source determined the bucket. Otherwise, the request alone determined it. */
  readonly lookedUp: boolean;
}

/** A failure during evaluation. It affects only the routes in which it occurs. */
interface RequestFailure {
  readonly reason: Reason;
  readonly code: RuntimeCode;
  /** The routes that select no buckets because of the failure, by their index in the stream. */
  readonly routes: readonly number[];
}

export interface RequestResult {
  readonly buckets: readonly GivenBucket[];
  readonly failures: readonly RequestFailure[];
  /** Every lookup key that was read. The result may change when one of them changes. */
  readonly lookups: readonly string[];
}

/** The value sets of each key that was read. */
export type LookupAnswer = ReadonlyMap<string, readonly (readonly SqlValue[])[]>;

/** The same, with a limit. If a key has too many value sets, only the routes that need it fail. */
export type BoundedAnswer = ReadonlyMap<string, readonly (readonly SqlValue[])[] | 'too-many'>;

export type RequestEvaluation = Generator<readonly string[], RequestResult, BoundedAnswer>;

/** A compiled stream or bucket definition. */
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

/** A stream to evaluate for one reason. */
export interface Evaluation {
  readonly stream: CompiledRequests;
  readonly reason: Reason;
  /** The priority that the client requested, which overrides that of the stream. */
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

/** The evaluation of one route in progress. A failure ends only this route. */
interface Walk {
  readonly evaluation: Evaluation;
  readonly route: CompiledRoute;
  failed?: RuntimeCode;
  tuples: readonly Tuple[];
  /** The keys, in place of tuples. See {@link keysIn}. */
  keys: ReadonlySet<SqlValue>;
  step: number;
  /** The lookup key for which each tuple waits. */
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

/** Requests the keys of a lookup. A tuple whose values cannot be a key, such as NULL, finds nothing and ends here. */
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
 * Returns the keys of a route that ends with a lookup whose values are the keys, as most routes do. Each key is kept once, without
 * creating tuples, which takes a third of the time. Undefined if values of several classes may be the same key, such as 1 and 1.0,
 * or if there may be too many tuples.
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

/**
 * The maximum number of tuples. It is far more than the number of buckets that a client may have, so counting further would waste
 * memory.
 */
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

/** Removes duplicates, because several rows may have the same values. */
export function distinctRows(rows: readonly (readonly SqlValue[])[]): readonly (readonly SqlValue[])[] {
  if (rows.length < 2) return rows;
  return distinctSingles(rows) ?? distinctByText(rows);
}

/** Returns the distinct rows, if each row is a single value other than bytes, which can be compared directly. */
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

/** Returns a text for a value. Its length is included so that no text can look like a list of others. */
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
    // Keys are distinct, so a bucket can occur twice only if another walk has the same source. Searching for each bucket would take
    // half of the time.
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

/** Returns the prefix of the names of the route's buckets. */
function sourceOf({ evaluation, route }: Walk): string {
  return evaluation.stream.sourceNames[route.source] as string;
}

/** Returns one failure for each code of an evaluation, even if several of its routes have the same code. */
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
