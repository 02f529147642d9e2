/**
 * Checksums of the few rows that all others depend on: the rows of the storage itself, of its deployments and of their tables.
 * SQLite does not detect a flipped bit in a value, and in one of these rows it could change a state, a position or the sync
 * config itself. Triggers keep the checksums up to date.
 */
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';

export type DatabaseRow = Readonly<Record<string, unknown>>;

const tables = ['instance', 'deployments', 'tables'] as const;
type CheckedTable = (typeof tables)[number];

/** Thrown for a row that differs from the one that was written. */
export class UnsoundRecord extends Error {}

/** Returns the rows (`SELECT *`) of a table. Throws if one of them is not sound. */
export function demandSound(rows: readonly DatabaseRow[], table: CheckedTable): readonly DatabaseRow[] {
  if (!rows.every(isSoundRecord)) throw new UnsoundRecord(`a row of ${table} differs from its checksum`);
  return rows;
}

/** Whether a complete row is as it was written. Rows of earlier versions have no checksum. */
export function isSoundRecord({ check, ...values }: DatabaseRow): boolean {
  return check === undefined || check === null || check === checkOf(Object.values(values));
}

/** Returns the first table that has a row with a wrong checksum. */
export function findUnsoundTable(database: DatabaseSync): CheckedTable | undefined {
  // A table may have been added after the version of the file.
  return tables.find(
    (table) =>
      columnsOf(database, table).length > 0 &&
      !database.prepare(`SELECT * FROM ${table}`).all().every(isSoundRecord),
  );
}

/** Creates the triggers that update the checksums of all rows that this connection writes. Call it after the last migration. */
export function keepRecordChecks(writer: DatabaseSync): void {
  // A trigger does not trigger itself.
  for (const table of tables)
    for (const event of ['INSERT', 'UPDATE'])
      writer.exec(
        `CREATE TEMP TRIGGER check_${table}_${event} AFTER ${event} ON main.${table} BEGIN ${updateOf(writer, table)} WHERE rowid = NEW.rowid; END`,
      );
}

/** Writes the checksums of all rows again, in the transaction of a migration that may have changed their columns. */
export function renewRecordChecks(writer: DatabaseSync): void {
  for (const table of tables)
    if (columnsOf(writer, table).includes('check')) writer.exec(updateOf(writer, table));
}

/** Defines the SQL function that computes the checksums. */
export function defineRecordChecks(writer: DatabaseSync): void {
  writer.function(
    'record_check',
    { deterministic: true, varargs: true, useBigIntArguments: true },
    (...values) => checkOf(values),
  );
}

function updateOf(writer: DatabaseSync, table: CheckedTable): string {
  const columns = columnsOf(writer, table).filter((name) => name !== 'check');
  return `UPDATE ${table} SET "check" = record_check(${columns.join(', ')})`;
}

function columnsOf(database: DatabaseSync, table: CheckedTable): readonly string[] {
  const select = database.prepare(`SELECT name FROM pragma_table_info('${table}')`);
  return select.all().map(({ name }) => String(name));
}

/** Returns the checksum, which is the same for an integer as a number and as a bigint. */
function checkOf(values: readonly unknown[]): number {
  const texts = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)));
  return crc32(texts.join('\n'));
}
