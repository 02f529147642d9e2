/** The amounts that clients of a service get, as the service reported them. */
import type { PlacedDefinition } from '../../engine/index.ts';
import { fingerprintOf } from '../../engine/plan/fingerprint.ts';

export interface KnownLimits {
  /** The limits of one client. */
  readonly limits: { readonly buckets: number; readonly results: number };
  readonly streams: ReadonlyMap<string, KnownStream>;
  readonly groups: readonly KnownGroup[];
}

interface KnownStream {
  /** The fingerprint of the deployed stream. */
  readonly fingerprint: string;
  readonly buckets: number;
  /** Values that PowerSync's service would read. */
  readonly reference: number;
  /** Whether the amount is for each element of a list in the request. */
  readonly perElement: boolean;
  /** Not all of it could be counted: it may be much less. */
  readonly atMost: boolean;
}

/** Clients that the same values decide about. */
export interface KnownGroup {
  /** The deciding values, such as `auth.user_id()`. Empty: it is the same for everybody. */
  readonly by: readonly string[];
  /** The clients with the most, of the streams that these values decide. */
  readonly most: readonly (KnownAmounts & { readonly values: readonly unknown[] })[];
  /** The most that each of these streams gives. */
  readonly streams: readonly (KnownAmounts & { readonly name: string })[];
}

export interface KnownAmounts {
  readonly buckets: number;
  readonly results: number;
  readonly reference: number;
}

/** Share of a limit from which somebody is near it. */
export const near = 0.8;

/** Returns undefined if it is not a forecast. */
export function readKnownLimits(forecast: unknown): KnownLimits | undefined {
  const { limits, streams, groups } = fieldsOf(forecast);
  const { buckets, results } = fieldsOf(limits);
  if (!Array.isArray(streams) || typeof buckets !== 'number' || typeof results !== 'number') return undefined;
  return {
    limits: { buckets, results },
    streams: new Map(streams.flatMap(readStream)),
    groups: listOf(groups).map(readGroup),
  };
}

/** Returns undefined if nothing is known of the stream in its present form. */
export function knownStreamOf(
  { definition, plan }: PlacedDefinition,
  { streams }: KnownLimits,
): KnownStream | undefined {
  const known = streams.get(definition.name);
  return plan !== undefined && known?.fingerprint === fingerprintOf(plan) ? known : undefined;
}

function readStream(value: unknown): readonly [string, KnownStream][] {
  const { name, fingerprint, buckets, reference, perElement, atMost } = fieldsOf(value);
  if (typeof name !== 'string' || typeof fingerprint !== 'string') return [];
  if (typeof buckets !== 'number' || typeof reference !== 'number') return [];
  const flags = { perElement: perElement === true, atMost: atMost === true };
  return [[name, { fingerprint, buckets, reference, ...flags }]];
}

function readGroup(value: unknown): KnownGroup {
  const { by, most, streams } = fieldsOf(value);
  return {
    by: listOf(by).map(String),
    most: listOf(most).map((client) => ({ values: listOf(fieldsOf(client).values), ...amountsIn(client) })),
    streams: listOf(streams).map((stream) => ({ name: String(fieldsOf(stream).name), ...amountsIn(stream) })),
  };
}

function amountsIn(value: unknown): KnownAmounts {
  const { buckets, results, reference } = fieldsOf(value);
  return { buckets: numberOr0(buckets), results: numberOr0(results), reference: numberOr0(reference) };
}

function numberOr0(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
