import type { Rest } from '../storage.ts';
import type { Run } from './database.ts';
import { schema } from './schema.ts';

/** The number of rows in a step, which takes some milliseconds. */
const batch = 2_000;
/** The number of buckets or tables whose rows one statement searches. */
const group = 1_000;

interface Clearing {
  readonly run: Run;
  /** Awaited before each step. */
  readonly rest?: Rest | undefined;
  /** Ends the work early, between steps. */
  readonly signal?: AbortSignal;
}

type Buckets = 'keep buckets' | 'delete buckets';

/** Deletes all data of a deployment except its record. */
export async function clearDeployment(
  clearing: Clearing,
  deployment: number,
  buckets: Buckets,
): Promise<void> {
  const { run, signal } = clearing;
  const idsIn = (table: string) =>
    run<Id>(`SELECT id FROM ${schema}.${table} WHERE deployment = $1`, [deployment]);
  await clearBuckets(clearing, await idsIn('buckets'), buckets);
  for (const some of groupsOf(await idsIn('tables'))) await deleteRows(clearing, currentRows, some);
  await deleteRows(clearing, lookups, [deployment]);
  if (!signal?.aborted) await run(`DELETE FROM ${schema}.tables WHERE deployment = $1`, [deployment]);
}

/** Deletes the buckets and lookups of a deployment whose names do not begin with one of these. */
export async function clearExcept(
  clearing: Clearing,
  deployment: number,
  kept: ReadonlySet<string>,
): Promise<void> {
  const names = [...kept];
  const gone = await clearing.run<Id>(
    `SELECT id FROM ${schema}.buckets WHERE deployment = $1 AND split_part(name, '[', 1) <> ALL ($2::text[])`,
    [deployment, names],
  );
  await clearBuckets(clearing, gone, 'delete buckets');
  await deleteRows(clearing, lookups, [deployment], names);
}

async function clearBuckets(clearing: Clearing, buckets: readonly Id[], what: Buckets): Promise<void> {
  const { run, signal } = clearing;
  for (const some of groupsOf(buckets)) {
    await deleteRows(clearing, ops, some);
    if (signal?.aborted) return;
    if (what === 'delete buckets')
      await run(`DELETE FROM ${schema}.buckets WHERE id = ANY ($1::bigint[])`, [some]);
  }
}

type Id = { readonly id: number };

function groupsOf(rows: readonly Id[]): readonly (readonly number[])[] {
  const ids = rows.map(({ id }) => id);
  const count = Math.ceil(ids.length / group);
  return Array.from({ length: count }, (_, n) => ids.slice(n * group, (n + 1) * group));
}

/**
 * An index of a table: the column of the owner, then the columns that distinguish its rows, with the type and the minimum value
 * of each.
 */
interface Order {
  readonly table: string;
  readonly owner: string;
  readonly key: Readonly<Record<string, readonly [type: 'bigint' | 'uuid', least: KeyValue]>>;
}

type KeyValue = number | string;

const leastUuid = '00000000-0000-0000-0000-000000000000';
const ops: Order = { table: 'ops', owner: 'bucket', key: { op_id: ['bigint', 0] } };
const currentRows: Order = {
  table: 'current_rows',
  owner: 'source_table',
  key: { source_key: ['uuid', leastUuid] },
};
const lookups: Order = {
  table: 'lookups',
  owner: 'deployment',
  key: {
    hash: ['uuid', leastUuid],
    source_table: ['bigint', 0],
    source_key: ['uuid', leastUuid],
    op_id: ['bigint', 0],
  },
};

/**
 * Deletes rows in steps, each of which continues at the end of the previous one. If each step searched from the beginning, it
 * would pass all deleted rows, which stay in the index until the server cleans up. The time for a bucket would then be quadratic.
 *
 * @param except the beginnings of lookups that stay
 */
async function deleteRows(
  { run, rest, signal }: Clearing,
  { table, owner, key }: Order,
  owners: readonly number[],
  except?: readonly string[],
): Promise<void> {
  const columns = Object.keys(key);
  const kinds = Object.values(key);
  const names = columns.join(', ');
  const starts = columns.map((column) => `from_${column}`).join(', ');
  const arrays = ['bigint', ...kinds.map(([type]) => type)].map((type, n) => `$${n + 1}::${type}[]`);
  const isGone =
    except === undefined ? 'true' : `split_part(lookup, '[', 1) <> ALL ($${arrays.length + 1}::text[])`;
  const sql = `
    WITH page AS (
      SELECT i, part.* FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS wanted (owner, ${starts}, i)
      CROSS JOIN LATERAL (
        SELECT ctid AS place, ${isGone} AS is_gone, ${names} FROM ${schema}.${table}
        WHERE ${owner} = wanted.owner AND (${names}) >= (${starts}) ORDER BY ${names} LIMIT ${batch}) AS part
      ORDER BY i, ${names} LIMIT ${batch}),
    deleted AS (
      DELETE FROM ${schema}.${table} WHERE ctid = ANY (ARRAY(SELECT place FROM page WHERE is_gone)) RETURNING 1)
    SELECT i, ${names},
      (SELECT count(*) FROM page WHERE is_gone) = (SELECT count(*) FROM deleted) AS is_done,
      (SELECT count(*) FROM page) < ${batch} AS is_last
    FROM page ORDER BY i DESC, ${columns.map((column) => `${column} DESC`).join(', ')} LIMIT 1`;

  let left = owners;
  let from = kinds.map(([, least]) => least);
  while (left.length > 0 && !signal?.aborted) {
    await rest?.();
    const [end] = await run<PageEnd>(sql, [
      left,
      ...kinds.map(([, least], n) => left.map((_, index) => (index === 0 ? from[n] : least))),
      ...(except === undefined ? [] : [except]),
    ]);
    if (end === undefined || (end.is_done && end.is_last)) return;
    // These rows have moved, because other transactions have changed some of them meanwhile.
    if (!end.is_done) continue;
    left = left.slice(end.i - 1);
    from = columns.map((column) => end[column] as KeyValue);
  }
}

interface PageEnd extends Readonly<Record<string, KeyValue | boolean>> {
  /** The index in the list, beginning with 1. */
  readonly i: number;
  /** Whether all rows of the page that should be deleted have been deleted. */
  readonly is_done: boolean;
  readonly is_last: boolean;
}
