/** How much data the clients of a service receive, as reported by the service. */
import type { PlacedDefinition } from '../../engine/index.ts';
import { fingerprintOf } from '../../engine/plan/fingerprint.ts';

export interface KnownLimits {
  /** The limits of one client. */
  readonly limits: { readonly buckets: number; readonly results: number };
  readonly streams: ReadonlyMap<string, KnownStream>;
  readonly groups: readonly KnownGroup[];
}

interface KnownStream {
  /** The fingerprint of the stream when it was deployed. */
  readonly fingerprint: string;
  readonly buckets: number;
  /** The number of values that PowerSync's service would read. */
  readonly reference: number;
  /** Whether the amount is for each element of a list in the request. */
  readonly perElement: boolean;
  /** Whether the amount is only an upper bound, because not everything could be counted. */
  readonly atMost: boolean;
}

/** Clients whose amounts depend on the same values. */
export interface KnownGroup {
  /** The values that decide, such as `auth.user_id()`. Empty: the amount is the same for all users. */
  readonly by: readonly string[];
  /** The clients with the largest amounts in the streams of this group. */
  readonly most: readonly (KnownAmounts & { readonly values: readonly unknown[] })[];
  /** The largest amount of each of these streams. */
  readonly streams: readonly (KnownAmounts & { readonly name: string })[];
}

export interface KnownAmounts {
  readonly buckets: number;
  readonly results: number;
  readonly reference: number;
}

/** The share of a limit at which a client counts as near the limit. */
export const near = 0.8;

/** Returns undefined if the value is not a forecast. */
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

/** Returns undefined if the service knows nothing about the stream in its current form. */
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
