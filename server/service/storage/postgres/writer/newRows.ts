import type { CurrentRow, ReplicationWriter, RowWrite } from '../../storage.ts';

/** Returns the rows to write. Rows that were assumed to be new are looked up, with one query for each table. */
export async function withStored(
  rows: readonly RowWrite[],
  currentRows: ReplicationWriter['currentRows'],
): Promise<readonly RowWrite[]> {
  const asked = new Map<number, Set<string>>();
  for (const { table, key, ifStored } of rows) {
    if (ifStored !== undefined) asked.set(table, (asked.get(table) ?? new Set()).add(key));
  }
  if (asked.size === 0) return rows;
  const stored = new Map<string, CurrentRow | undefined>();
  for (const [table, keys] of asked) {
    for (const row of await currentRows(table, [...keys])) {
      if (row !== undefined) stored.set(`${table} ${row.key}`, row);
    }
  }
  return rows.map((row) => {
    const name = `${row.table} ${row.key}`;
    const before = stored.get(name);
    const write = before === undefined ? row : (row.ifStored?.(before) ?? row);
    stored.set(name, write.current === null ? undefined : { ...write.current, key: row.key });
    return write;
  });
}
