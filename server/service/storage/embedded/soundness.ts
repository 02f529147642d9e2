/**
 * Checks a database file before its data is served. SQLite has no checksums of its pages, so a flipped bit in the header of a
 * page may hide rows, and one in the header of the file may change its version.
 */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { findUnsoundTable } from './recordChecks.ts';
import { defineRowPlace, migrations } from './schema.ts';

/**
 * The limits of the file size in bytes. Up to the first one, every index is compared with its table, which takes a tenth of a
 * second. Up to the second one, every page is read, which takes a second. Damage in larger files is found when it is read.
 */
const limits = { indexes: 16 * 2 ** 20, pages: 256 * 2 ** 20 } as const;

export type Soundness =
  | { readonly kind: 'sound'; readonly version: number }
  /** The file was written by a newer version of the service. */
  | { readonly kind: 'newer' }
  /** The file was not written by the service. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'corrupt'; readonly found: string };

export function checkSoundness(connection: DatabaseSync, file: string): Soundness {
  const { size } = statSync(file);
  if (size <= limits.pages) {
    const check = size <= limits.indexes ? 'integrity_check' : 'quick_check';
    const [answer = ''] = connection.prepare(`PRAGMA ${check}(1)`).all().flatMap(Object.values).map(String);
    if (answer !== 'ok') return { kind: 'corrupt', found: answer };
  }
  const [version, again] = [numberOf(connection, 'user_version'), numberOf(connection, 'application_id')];
  // Earlier versions wrote the number only once.
  if (again !== version && again !== 0)
    return { kind: 'corrupt', found: `its version is ${version} in one place and ${again} in another` };
  if (version > migrations.length) return { kind: 'newer' };
  if (shapeOf(connection) !== shapeOfVersion(version))
    return version === 0
      ? { kind: 'foreign' }
      : { kind: 'corrupt', found: `the tables are not those of version ${version}` };
  const table = findUnsoundTable(connection);
  if (table !== undefined) return { kind: 'corrupt', found: `a row of ${table} differs from its checksum` };
  return { kind: 'sound', version };
}

function numberOf(connection: DatabaseSync, pragma: 'user_version' | 'application_id'): number {
  return Number(Object.values(connection.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
}

/** Returns the names and types of all tables and columns. */
function shapeOf(connection: DatabaseSync): string {
  const columns = connection.prepare(
    `SELECT m.type, m.name, c.name AS column, c.type AS affinity FROM sqlite_schema m
     LEFT JOIN pragma_table_info(m.name) c WHERE m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`,
  );
  return JSON.stringify(columns.all());
}

function shapeOfVersion(version: number): string {
  const connection = new DatabaseSync(':memory:');
  try {
    defineRowPlace(connection);
    for (const migration of migrations.slice(0, version)) connection.exec(migration);
    return shapeOf(connection);
  } finally {
    connection.close();
  }
}
