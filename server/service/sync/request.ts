/** Checks and reads the body of a request for a sync stream. */
import type { Priority } from '../../engine/model/definition.ts';
import type { Subscription, SyncRequest } from '../../engine/plan/evaluate/requests.ts';
import { type RequestDocument, requestDocument } from '../../engine/plan/evaluate/scope.ts';
import { EvaluationFailure } from '../../engine/plan/values/failure.ts';
import { type Json, type JsonObject, writeJson } from '../../engine/plan/values/json.ts';
import { ServiceError } from '../ground/errors.ts';
import { createReasons, type Reasons } from '../ground/reasons.ts';
import type { Parameters, User } from '../http/route.ts';
import type { OpId } from '../storage/storage.ts';

export interface StreamRequest {
  /** The client's positions in its buckets. */
  readonly positions: ReadonlyMap<string, OpId>;
  /** False for old clients, which expect the data of a row as an object instead of text. */
  readonly rawData: boolean;
  readonly clientId: string | undefined;
  /** For the log, shortened to a reasonable size. */
  readonly appMetadata: Readonly<Record<string, string>>;
  readonly sync: Omit<SyncRequest, 'claims'>;
}

/** The maximum length in characters. The ids of SDKs are UUIDs. */
const longestClientId = 1_000;

/** Checks the length of a client id that is otherwise valid, because the id is stored. */
export function problemsInLength(clientId: unknown): readonly string[] {
  const isTooLong = typeof clientId === 'string' && clientId.length > longestClientId;
  return isTooLong ? [`client_id must have at most ${longestClientId} characters.`] : [];
}

/** Returns one sentence for each problem. Unknown fields are allowed, and null counts as absent for optional fields. */
export function problemsInStreamRequest({
  buckets,
  streams,
  raw_data,
  parameters,
  client_id,
  app_metadata,
}: Parameters): readonly string[] {
  const reasons = createReasons();
  const { allowAbsent } = checksInto(reasons);
  allowAbsent(() => 'buckets', buckets, isList, 'a list');
  if (isList(buckets))
    for (const [i, bucket] of buckets.entries()) checkBucket(reasons, () => `buckets[${i}]`, bucket);
  allowAbsent(() => 'raw_data', raw_data, isBoolean, 'true or false');
  allowAbsent(() => 'parameters', parameters, isObject, 'an object');
  allowAbsent(() => 'client_id', client_id, isText, 'a string');
  for (const problem of problemsInLength(client_id)) reasons.add(() => problem);
  checkMetadata(reasons, app_metadata);
  allowAbsent(() => 'streams', streams, isObject, 'an object');
  if (isObject(streams)) checkStreams(reasons, streams);
  return reasons.list();
}

/** Reads a body without problems. Its numbers stay as they were written. */
export function readStreamRequest(body: JsonObject): StreamRequest {
  const { buckets, raw_data, ...rest } = body;
  const known = (buckets ?? []) as readonly JsonObject[];
  // The values are cloned, because their strings may be slices of the body, which would keep the entire body in memory for hours,
  // with positions in thousands of buckets.
  const { client_id, app_metadata, parameters, streams: asked } = structuredClone(rest);
  const streams = asked as JsonObject | null | undefined;
  return {
    positions: new Map(known.map(({ name, after }) => [name as string, readPosition(after as string)])),
    rawData: raw_data === true,
    clientId: (client_id ?? undefined) as string | undefined,
    appMetadata: cutMetadata((app_metadata ?? {}) as JsonObject),
    sync: {
      connection: documentOf(parameters) ?? noParameters,
      includeDefaults: (streams?.include_defaults ?? true) as boolean,
      subscriptions: ((streams?.subscriptions ?? []) as readonly JsonObject[]).map(readSubscription),
    },
  };
}

const noParameters: RequestDocument = { text: '{}', json: {} };

/** Adds the claims. They are parsed again when needed, because a waiting client only keeps the text of its token. */
export function requestWithClaims({ sync }: Pick<StreamRequest, 'sync'>, user: User): SyncRequest {
  return { ...sync, claims: claimsOf(user) };
}

function claimsOf({ claims }: User) {
  try {
    return requestDocument(claims);
  } catch (error) {
    if (!(error instanceof EvaluationFailure)) throw error;
    const details =
      'The payload of the token is nested too deeply, or contains one key with two different values.';
    throw new ServiceError('SVC_S2101', details, { cause: error });
  }
}

type Test = (value: unknown) => boolean;

/**
 * Returns the place for a sentence. It is computed only for sentences that are kept, because a body may have hundreds of
 * thousands of places.
 */
type Place = () => string;
type Check = (place: Place, value: unknown, test: Test, expected: string) => void;

function checksInto(reasons: Reasons): { readonly allowAbsent: Check; readonly requireThat: Check } {
  const requireThat: Check = (place, value, test, expected) => {
    if (test(value)) return;
    reasons.add(() =>
      value === undefined
        ? `${place()} is missing: it must be ${expected}.`
        : `${place()} must be ${expected}, but is ${nameOf(value)}.`,
    );
  };
  return {
    requireThat,
    allowAbsent: (place, value, test, expected) => {
      if (value !== undefined && value !== null) requireThat(place, value, test, expected);
    },
  };
}

function checkBucket(reasons: Reasons, place: Place, bucket: unknown): void {
  const { requireThat } = checksInto(reasons);
  if (!isObject(bucket)) {
    requireThat(place, bucket, isObject, 'an object with `name` and `after`');
    return;
  }
  requireThat(() => `${place()}.name`, bucket.name, isText, 'a string');
  requireThat(() => `${place()}.after`, bucket.after, isPosition, 'an operation id, as a string of digits');
}

function checkMetadata(reasons: Reasons, metadata: unknown): void {
  const { allowAbsent, requireThat } = checksInto(reasons);
  allowAbsent(() => 'app_metadata', metadata, isObject, 'an object of strings');
  if (!isObject(metadata)) return;
  for (const [key, value] of Object.entries(metadata))
    requireThat(() => `app_metadata.${key}`, value, isText, 'a string');
}

function checkStreams(reasons: Reasons, { include_defaults, subscriptions }: Fields): void {
  const { allowAbsent, requireThat } = checksInto(reasons);
  allowAbsent(() => 'streams.include_defaults', include_defaults, isBoolean, 'true or false');
  requireThat(() => 'streams.subscriptions', subscriptions, isList, 'a list');
  if (!isList(subscriptions)) return;
  for (const [i, subscription] of subscriptions.entries())
    checkSubscription(reasons, () => `streams.subscriptions[${i}]`, subscription);
}

function checkSubscription(reasons: Reasons, place: Place, subscription: unknown): void {
  const { requireThat } = checksInto(reasons);
  if (!isObject(subscription)) {
    requireThat(place, subscription, isObject, 'an object');
    return;
  }
  const { stream, parameters, override_priority } = subscription;
  requireThat(() => `${place()}.stream`, stream, isText, 'the name of a stream');
  requireThat(() => `${place()}.parameters`, parameters, orNull(isObject), 'an object or null');
  requireThat(() => `${place()}.override_priority`, override_priority, orNull(isNumber), 'a number or null');
}

type Fields = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isBoolean: Test = (value) => typeof value === 'boolean';
const isText: Test = (value) => typeof value === 'string';
const isNumber: Test = (value) => typeof value === 'number' || typeof value === 'bigint';
const isPosition: Test = (value) => typeof value === 'string' && /^\d{1,19}$/.test(value);
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'object':
      return 'an object';
    case 'string':
      return 'a string';
    case 'boolean':
      return String(value);
    default:
      return 'a number';
  }
}

/**
 * Reads a position. A client of an earlier storage may send an id larger than any of ours. No operation comes after such an id,
 * so its exact value does not matter.
 */
function readPosition(after: string): OpId {
  return Math.min(Number(after), Number.MAX_SAFE_INTEGER);
}

function readSubscription(subscription: JsonObject): Subscription {
  const parameters = documentOf(subscription.parameters);
  const priority = subscription.override_priority as bigint | number | null;
  return {
    stream: subscription.stream as string,
    ...(parameters && { parameters }),
    ...(priority !== null && { priority: readPriority(Number(priority)) }),
  };
}

function documentOf(json: Json | undefined): RequestDocument | undefined {
  return json === undefined || json === null ? undefined : { text: writeJson(json), json };
}

function readPriority(number: number): Priority {
  return Math.min(Math.max(Math.trunc(number), 0), 3) as Priority;
}

const mostMetadata = 20;
const longestMetadata = 100;

function cutMetadata(metadata: JsonObject): Readonly<Record<string, string>> {
  const entries = Object.entries(metadata).slice(0, mostMetadata);
  return Object.fromEntries(
    entries.map(([key, value]) => [key.slice(0, longestMetadata), String(value).slice(0, longestMetadata)]),
  );
}
