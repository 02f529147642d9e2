/** Known mistakes of the reference about which requests get which rows. Any other difference is a defect. */
import type { Query } from './query.ts';
import type { World } from './world.ts';

/** The answers for one request, as sorted ids of rows. */
export interface Opinions {
  readonly ours: readonly string[];
  readonly reference: readonly string[];
  readonly sqlite: readonly string[];
}

/** Returns why only the reference differs, if the reason is known. */
export function explain(
  queries: readonly Query[],
  { ours, reference, sqlite }: Opinions,
): string | undefined {
  if (!same(ours, sqlite)) return undefined;
  const lacksRows = reference.every((id) => sqlite.includes(id));
  if (lacksRows && queries.some(({ stream }) => readsOneListTwice(stream)))
    return 'two conditions over one list: the reference wants one element that meets both';
  return undefined;
}

/** Returns the same for definitions that SQLite cannot run. */
export function explainOlder(
  config: string,
  { rows }: World,
  { ours, reference }: Omit<Opinions, 'sqlite'>,
): string | undefined {
  const onlyThere = reference.filter((id) => !ours.includes(id));
  const extraRows = rows.filter(({ record }) => onlyThere.includes(record.id));
  const givesMore = ours.every((id) => reference.includes(id));
  const hasNull = extraRows.every(({ record }) => Object.values(record).includes(null));
  if (givesMore && hasNull && config.includes('edition: 2') && config.includes('IN (SELECT'))
    return 'NULL IN (SELECT …) in edition 2: the reference takes one NULL for another, so rows leak';
  return undefined;
}

/** `x IN j.list AND j.list && …` */
export function readsOneListTwice(sql: string): boolean {
  const lists = sql.match(/\b\w+\.list\b|\bauth\.parameter\('(?:orgs|boats)'\)/g) ?? [];
  return new Set(lists).size < lists.length;
}

function same(left: readonly string[], right: readonly string[]): boolean {
  return left.join(' ') === right.join(' ');
}
