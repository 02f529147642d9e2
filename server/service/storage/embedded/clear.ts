import { openCurrentRows } from './currentRows.ts';
import { type Database, nextTurn } from './database.ts';

/** Per transaction, some 20 ms, in which nobody else gets a turn. */
const atOnce = { rows: 2_000, runs: 500 } as const;
/** Pages that are given back to the file system at once. */
const vacuumPages = 500;

/** Deletes all that is stored for a deployment but its record. Ends early, between batches, when aborted. */
export async function clearDeployment(
  database: Database,
  deployment: number,
  signal?: AbortSignal,
): Promise<void> {
  const { writing } = database;
  const repeat = async (deleteSome: () => number | bigint) => {
    while (!signal?.aborted && Number(await database.transaction(deleteSome)) > 0) await nextTurn();
  };
  const ids = (table: string) => {
    const select = writing.prepareRows(`SELECT id FROM ${table} WHERE deployment = ?`);
    return database.transaction(() => select.all(deployment) as unknown as [number][]);
  };
  const deleteRuns = writing.prepare(
    'DELETE FROM runs WHERE first_op IN (SELECT first_op FROM runs WHERE bucket = ? LIMIT ?)',
  );
  const rows = openCurrentRows(database);
  const deleteLookups = writing.prepare(
    `DELETE FROM lookups WHERE deployment = ? AND (lookup, source_table, source_key, op_id) IN (
       SELECT lookup, source_table, source_key, op_id FROM lookups WHERE deployment = ? LIMIT ?)`,
  );
  const deleteBuckets = writing.prepare('DELETE FROM buckets WHERE deployment = ?');
  const deleteTables = writing.prepare('DELETE FROM tables WHERE deployment = ?');

  const buckets = await ids('buckets');
  let next = 0;
  // As many buckets a transaction as it takes.
  await repeat(() => {
    let left: number = atOnce.runs;
    while (left > 0 && next < buckets.length) {
      const deleted = Number(deleteRuns.run(buckets[next]?.[0] ?? 0, left).changes);
      left -= deleted;
      // Also an empty bucket costs a look.
      if (left > 0) [next, left] = [next + 1, left - 1];
    }
    return atOnce.runs - left;
  });
  for (const [table] of await ids('tables')) await repeat(() => rows.deleteSome(table, atOnce.rows));
  await repeat(() => deleteLookups.run(deployment, deployment, atOnce.rows).changes);
  if (signal?.aborted) return;
  await database.transaction(() => {
    deleteBuckets.run(deployment);
    deleteTables.run(deployment);
  });
  database.doubt();
  await giveSpaceBack(database, signal);
}

/** Buckets that are looked at in one go: a millisecond. */
const bucketsAtOnce = 1_000;

export async function clearAllBut(
  database: Database,
  deployment: number,
  kept: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const { writing } = database;
  const selectBuckets = writing.prepareRows(
    'SELECT id, name FROM buckets WHERE deployment = ? AND id > ? ORDER BY id LIMIT ?',
  );
  const deleteRuns = writing.prepare(
    'DELETE FROM runs WHERE first_op IN (SELECT first_op FROM runs WHERE bucket = ? LIMIT ?)',
  );
  const deleteBucket = writing.prepare('DELETE FROM buckets WHERE id = ?');
  const nextLookup = writing.prepareRows(
    'SELECT lookup FROM lookups WHERE deployment = ? AND lookup >= ? ORDER BY lookup LIMIT 1',
  );
  const deleteLookups = writing.prepare(
    `DELETE FROM lookups WHERE deployment = ? AND (lookup, source_table, source_key, op_id) IN (
       SELECT lookup, source_table, source_key, op_id FROM lookups
       WHERE deployment = ? AND lookup >= ? AND lookup < ? LIMIT ?)`,
  );
  const repeat = async (deleteSome: () => number | bigint) => {
    while (!signal.aborted && Number(await database.transaction(deleteSome)) > 0) await nextTurn();
  };

  for (let last = 0; !signal.aborted; await nextTurn()) {
    const some = await database.transaction(
      () => selectBuckets.all(deployment, last, bucketsAtOnce) as unknown as [number, string][],
    );
    for (const [id, name] of some) {
      if (kept.has(partOf(name))) continue;
      await repeat(() => deleteRuns.run(id, atOnce.runs).changes);
      if (signal.aborted) return;
      await database.transaction(() => deleteBucket.run(id));
    }
    const end = some.at(-1);
    if (end === undefined) break;
    last = end[0];
  }
  for (let from = ''; !signal.aborted; ) {
    const found = await database.transaction(
      () => nextLookup.get(deployment, from) as unknown as [string] | undefined,
    );
    if (found === undefined) break;
    const name = partOf(found[0]);
    // What begins with the name and a `[` comes before this.
    const end = `${name}\\`;
    if (!kept.has(name)) {
      await repeat(() => deleteLookups.run(deployment, deployment, `${name}[`, end, atOnce.rows).changes);
    }
    from = end;
  }
  database.doubt();
  await giveSpaceBack(database, signal);
}

function partOf(key: string): string {
  return key.slice(0, key.indexOf('['));
}

/** The file gets shorter by what was deleted. */
export async function giveSpaceBack(database: Database, signal?: AbortSignal): Promise<void> {
  const freePages = database.writing.prepareRows('PRAGMA freelist_count');
  const vacuum = database.writing.prepareRows(`PRAGMA incremental_vacuum(${vacuumPages})`);
  let left = Number.POSITIVE_INFINITY;
  while (!signal?.aborted) {
    const before = left;
    left = await database.transaction(() => {
      vacuum.all();
      return (freePages.get() as unknown as [number])[0];
    });
    if (left === 0 || left >= before) return;
    await nextTurn();
  }
}
