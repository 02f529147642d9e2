/** Deletes data that is no longer needed. A step that was interrupted by a crash can be repeated. */
import type { Database } from '../database.ts';
import type { Pieces } from '../pieces.ts';
import { clearRows } from './clearRows.ts';

/** The maximum numbers for one step. It takes less than a millisecond, unless the rows are scattered among other rows. */
const atOnce = { runs: 16, rows: 200, pages: 16, buckets: 500 } as const;

/** Deletes all data of a deployment except its record. Ends early, between steps, when aborted. */
export async function clearDeployment(
  database: Database,
  deployment: number,
  signal: AbortSignal,
): Promise<void> {
  await emptyDeployment(database, deployment, database.spareTime, signal);
  if (!signal.aborted) await giveSpaceBack(database, signal);
}

/** Does the same, but keeps the disk space for the following data. */
export async function emptyDeployment(
  database: Database,
  deployment: number,
  pieces: Pieces,
  signal?: AbortSignal,
): Promise<void> {
  const { writing, reading } = database;
  const deleteLookups = writing.prepare(
    `DELETE FROM lookups WHERE deployment = ? AND (lookup, source_table, source_key, op_id) IN (
       SELECT lookup, source_table, source_key, op_id FROM lookups WHERE deployment = ? LIMIT ?)`,
  );
  const deleteTables = writing.prepare('DELETE FROM tables WHERE deployment = ?');
  const selectTables = reading.prepareRows('SELECT id FROM tables WHERE deployment = ?');

  const found = await pieces.read(() => selectTables.all(deployment) as unknown as readonly [number][]);
  // Rows contain the numbers of their buckets, so buckets are deleted after rows.
  for (const [table] of found) await clearRows(database, table, pieces, signal);
  await clearBuckets(database, deployment, () => false, pieces, signal);
  await pieces.repeat(
    () => deleteLookups.run(deployment, deployment, atOnce.rows).changes === atOnce.rows,
    signal,
  );
  if (signal?.aborted) return;
  await pieces.transaction(() => deleteTables.run(deployment));
  database.doubt();
}

export async function clearAllBut(
  database: Database,
  deployment: number,
  kept: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { writing, reading, spareTime } = database;
  const nextLookup = reading.prepareRows(
    'SELECT lookup FROM lookups WHERE deployment = ? AND lookup >= ? ORDER BY lookup LIMIT 1',
  );
  const deleteLookups = writing.prepare(
    `DELETE FROM lookups WHERE deployment = ? AND (lookup, source_table, source_key, op_id) IN (
       SELECT lookup, source_table, source_key, op_id FROM lookups
       WHERE deployment = ? AND lookup >= ? AND lookup < ? LIMIT ?)`,
  );

  await clearBuckets(database, deployment, (name) => kept.has(partOf(name)), spareTime, signal);
  for (let from = ''; !signal.aborted; ) {
    const found = await spareTime.read(
      () => nextLookup.get(deployment, from) as unknown as [string] | undefined,
    );
    if (found === undefined) break;
    const name = partOf(found[0]);
    // All keys that begin with the name and a `[` precede this one.
    const end = `${name}\\`;
    if (!kept.has(name)) {
      await spareTime.repeat(
        () => deleteLookups.run(deployment, deployment, `${name}[`, end, atOnce.rows).changes === atOnce.rows,
        signal,
      );
    }
    from = end;
  }
  database.doubt();
  await giveSpaceBack(database, signal);
}

function partOf(key: string): string {
  return key.slice(0, key.indexOf('['));
}

/** Deletes the buckets. A bucket is deleted when it is empty. */
async function clearBuckets(
  database: Database,
  deployment: number,
  isKept: (name: string) => boolean,
  pieces: Pieces,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { writing, reading } = database;
  const select = reading.prepareRows(
    `SELECT id, name FROM buckets WHERE deployment = ? AND name > ? ORDER BY name LIMIT ${atOnce.buckets}`,
  );
  const deleteRuns = writing.prepare(
    'DELETE FROM runs WHERE first_op IN (SELECT first_op FROM runs WHERE bucket = ? LIMIT ?)',
  );
  const deleteBucket = writing.prepare('DELETE FROM buckets WHERE id = ?');

  for (let last = ''; !signal?.aborted; ) {
    const some = await pieces.read(() => select.all(deployment, last) as unknown as [number, string][]);
    const gone = some.filter(([, name]) => !isKept(name)).map(([id]) => id);
    let next = 0;
    const step = () => {
      const bucket = gone[next];
      if (bucket === undefined) return false;
      if (deleteRuns.run(bucket, atOnce.runs).changes === atOnce.runs) return true;
      deleteBucket.run(bucket);
      next += 1;
      return true;
    };
    await pieces.repeat(step, signal);
    const end = some.at(-1);
    if (end === undefined) return;
    last = end[1];
  }
}

/** Shrinks the file by the size of the deleted data. */
export async function giveSpaceBack(database: Database, signal?: AbortSignal): Promise<void> {
  const freePages = database.writing.prepareRows('PRAGMA freelist_count');
  const vacuum = database.writing.prepareRows(`PRAGMA incremental_vacuum(${atOnce.pages})`);
  let left = Number.POSITIVE_INFINITY;
  await database.spareTime.repeat(() => {
    const before = left;
    vacuum.all();
    left = (freePages.get() as unknown as [number])[0];
    return left > 0 && left < before;
  }, signal);
  await database.shortenLog();
}
