/** Describes streams and tables of the map in sentences. */
import type { PlacedDefinition } from '../file/definitions.ts';
import { nameOfPattern } from '../plan/tablePatterns.ts';
import { type Audience, distinctTexts } from './audiences.ts';
import { describeBuckets } from './bucketWords.ts';
import type { MapRead, StreamWay, TableReads } from './facts.ts';

/** The description of a definition that cannot be compiled. */
export const brokenSentence = 'It has an error, so nothing can be said of its rows.';

/** Returns a text such as `Each user gets rows of lists. It needs no subscription. Buckets: 1 bucket per client.` */
export function describeStream(placed: PlacedDefinition, ways: readonly StreamWay[]): string {
  const { definition, plan } = placed;
  if (plan === undefined) return brokenSentence;
  if (ways.length === 0) return 'No client can get it.';
  const buckets = describeBuckets(placed);
  const { priority, lookups } = plan;
  const deciding = distinctTexts(lookups.map(({ table }) => nameOfPattern(table)));
  return [
    ...describeWays(ways),
    ...(deciding.length === 0 ? [] : [`Rows of ${listOfNames(deciding)} decide who.`]),
    ...(definition.kind === 'stream'
      ? [plan.isDefault ? 'It needs no subscription.' : 'Clients subscribe to it.']
      : []),
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
  return `${subjectOf(audience)} ${amount} of ${listOfNames(tables)}.`;
}

function subjectOf({ kind, label }: Audience): string {
  switch (kind) {
    case 'rows':
    case 'elements':
      return `${label} brings`;
    case 'members':
      return `${label} get`;
    case 'condition':
      return `${label}: clients get`;
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
    synced.length === 0 ? 'No client gets its rows.' : `Synced by ${listOfNames(synced)}.`,
    ...(deciding.length === 0 ? [] : [`Its rows decide who gets ${listOfNames(deciding)}.`]),
  ].join(' ');
}

/** The maximum number of names in a sentence. Any others are only counted. */
const mostNamed = 4;

export function listOfNames(names: readonly string[]): string {
  if (names.length > mostNamed)
    return `${names.slice(0, mostNamed - 1).join(', ')} and ${names.length - mostNamed + 1} others`;
  const [last = '', ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}
