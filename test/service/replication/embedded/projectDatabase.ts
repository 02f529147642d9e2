/** A project with files of SQL, and the embedded database that is made of them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { silentLog } from '../../../../server/service/ground/log.ts';
import type { Clock } from '../../../../server/service/ground/world.ts';
import { openEmbeddedSource } from '../../../../server/service/replication/embedded/source.ts';
import type { Source } from '../../../../server/service/replication/source.ts';

interface Project {
  /** Writes files of the project; `undefined` takes one away. */
  write(files: Readonly<Record<string, string | undefined>>): void;
  /** Opens its database with these paths as schema, seen from a folder of the project; closes it at the end of the test. */
  open(...schema: readonly string[]): Promise<Source>;
  openFrom(folder: string, ...schema: readonly string[]): Promise<Source>;
}

/** Opens the project of the running test. */
export function project(files: Readonly<Record<string, string>>, clock: Clock = systemClock): Project {
  const world = { clock, log: silentLog, env: {}, fetch };
  const root = mkdtempSync(join(tmpdir(), 'headwater-project-'));
  // Cleanups run in reverse order, so the database is closed before this.
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write: Project['write'] = (written) => {
    for (const [path, text] of Object.entries(written)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      if (text === undefined) rmSync(join(root, path));
      else writeFileSync(join(root, path), text);
    }
  };
  const openFrom: Project['openFrom'] = async (start, ...schema) => {
    const folder = join(root, start);
    const paths = schema.map((name) => ({ path: join(folder, name), name, folder }));
    const connection = {
      type: 'embedded',
      id: 'default',
      tag: 'default',
      debugApi: false,
      schema: paths,
    } as const;
    const data = join(root, '.data');
    const source = await openEmbeddedSource(connection, data, world);
    onTestFinished(() => source.close());
    return source;
  };
  write(files);
  return { write, open: (...schema) => openFrom('.', ...schema), openFrom };
}

/** The first column. */
export async function ask(source: Source, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: source.clientUri });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => value);
  } finally {
    await client.end();
  }
}

export const tablesOf = (source: Source): Promise<readonly unknown[]> =>
  ask(source, `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`);
export const skippedOf = (source: Source): Promise<readonly unknown[]> =>
  ask(
    source,
    `SELECT script || ':' || line || ' ' || reason || ' ' || coalesce(message, '')
     FROM headwater.skipped ORDER BY script, start_offset`,
  );
