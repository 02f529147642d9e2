/** Describes streams and tables of the map in sentences. */
import { listNames } from '../../shared/listNames.ts';
import type { PlacedDefinition } from '../file/definitions.ts';
import { nameOfPattern } from '../plan/tablePatterns.ts';
import { type Audience, distinctTexts } from './audiences.ts';
import { describeBuckets } from './bucketWords.ts';
import type { MapRead, StreamWay, TableReads } from './facts.ts';

/** The description of a definition that cannot be compiled. */
export const brokenSentence = 'This definition has an error, so its rows are unknown.';

/** Returns the beginning of a stream's description, such as `Each user gets rows of lists. No subscription is required.` */
export function summariseStream({ definition, plan }: PlacedDefinition, ways: readonly StreamWay[]): string {
  if (plan === undefined) return brokenSentence;
  if (ways.length === 0) return 'No client can get its rows.';
  return [
    ...describeWays(ways),
    ...(definition.kind === 'stream'
      ? [plan.isDefault ? 'No subscription is required.' : 'A subscription is required.']
      : []),
  ].join(' ');
}

/** Returns a text such as `Each user gets rows of lists. No subscription is required. Buckets: 1 bucket per client.` */
export function describeStream(placed: PlacedDefinition, ways: readonly StreamWay[]): string {
  const { plan } = placed;
  if (plan === undefined || ways.length === 0) return summariseStream(placed, ways);
  const buckets = describeBuckets(placed);
  const { priority, lookups } = plan;
  const deciding = distinctTexts(lookups.map(({ table }) => nameOfPattern(table)));
  return [
    summariseStream(placed, ways),
    ...(deciding.length === 0 ? [] : [`Access depends on rows of ${listNames(deciding)}.`]),
    ...(buckets === undefined ? [] : [`Buckets: ${buckets.label}.`]),
    ...(priority === 3 ? [] : [`Priority ${priority}.`]),
  ].join(' ');
}

/** Returns one sentence for each way in which rows reach clients, such as `Each user gets rows of lists.` */
export function describeWays(ways: readonly StreamWay[]): readonly string[] {
  return distinctTexts(ways.map(describeWay));
}

function describeWay({ audience, rules }: StreamWay): string {
  const tables = distinctTexts(rules.map(({ table }) => nameOfPattern(table)));
  const isAll = audience.kind === 'everyone' || audience.kind === 'subscribers';
  const amount = isAll && rules.every(({ filter }) => filter.length === 0) ? 'all rows' : 'rows';
  return `${subjectOf(audience)} ${amount} of ${listNames(tables)}.`;
}

function subjectOf({ kind, label }: Audience): string {
  switch (kind) {
    case 'elements':
      return `${label} gives access to`;
    case 'members':
    case 'claim':
    case 'condition':
      return `${label} get`;
    default:
      return `${label} gets`;
  }
}

export function describeTable(reads: TableReads['reads']): string {
  const streamsWith = (wanted: MapRead['use']) =>
    distinctTexts(
      reads.filter(({ use }) => use === wanted).map(({ stream }) => stream.placed.definition.name),
    );
  const [synced, deciding] = [streamsWith('rows'), streamsWith('access')];
  return [
    synced.length === 0 ? 'No client gets its rows.' : `Synced by ${listNames(synced)}.`,
    ...(deciding.length === 0 ? [] : [`Access to ${listNames(deciding)} depends on its rows.`]),
  ].join(' ');
}
