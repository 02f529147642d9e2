/**
 * Deletes the rest of parts that are no longer stored: their buckets and lookups, unneeded tables, and their places in the rows
 * of other tables. It works in steps, between events of the stream.
 */
import { replicates } from '../../../engine/plan/evaluate/evaluate.ts';
import type { CurrentRow } from '../../storage/storage.ts';
import { withoutRest } from '../rows/storedParts.ts';
import { dropTable, emptySome } from './copy.ts';
import type { Chore, Replication } from './replication.ts';

/** The pause between two steps in milliseconds, because the deletion is not urgent. */
const rest = 20;

export async function* choresOfClearing(
  replication: Replication,
  signal: AbortSignal,
): AsyncGenerator<Chore, void> {
  const { clearing, writer, served, source, clock } = replication;
  if (clearing === undefined) return;
  let all: Awaited<ReturnType<typeof writer.tables>> = [];
  yield async () => {
    all = await writer.tables();
  };
  for (const table of all) {
    const { schema, name } = table;
    if (!replicates(served, { tag: source.tag, schema, name })) {
      let isEmpty = false;
      while (!isEmpty && !signal.aborted) {
        yield async () => {
          isEmpty = (await emptySome(replication, table)) === 0;
        };
        await clock.sleep(rest, signal);
      }
      yield () => dropTable(replication, table);
      continue;
    }
    for (let last: string | undefined; !signal.aborted; ) {
      const some = await clearing.contents.rowsAfter(table.id, last);
      const end = some.at(-1);
      if (end === undefined) break;
      last = end.key;
      const keys = some.filter((row) => withoutRest(row, clearing.isStored).hasRest).map(({ key }) => key);
      if (keys.length === 0) continue;
      yield () => forget(replication, table.id, keys);
      await clock.sleep(rest, signal);
    }
  }
  // A copy that was given up is never continued, so its progress is also deleted.
  yield async () => {
    for (const { beside, ...table } of await writer.tables())
      if (beside !== undefined) await writer.putTable(table);
  };
  // Everything must be durable before the work counts as done.
  yield async () => void (await writer.write({ rows: [] }));
  await clearing.clearParts(signal);
  if (!signal.aborted) await clearing.onCleared();
}

/** Writes rows without the places of the rest. The writer already omits these places when it loads rows. */
async function forget({ writer }: Replication, table: number, keys: readonly string[]): Promise<void> {
  const found = (await writer.currentRows(table, keys)).filter((row) => row !== undefined);
  const rows = found.map(({ key, values, memberships, lookups }: CurrentRow) => ({
    table,
    key,
    ops: [],
    lookups: [],
    current: { values, memberships, lookups },
  }));
  if (rows.length > 0) await writer.write({ rows, goesOn: true });
}
