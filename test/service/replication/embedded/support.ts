/** An embedded database of its own, as tests have one of a server: see `../postgres/support.ts`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedSource } from '../../../../server/service/replication/embedded/source.ts';
import { options, pattern, type TestDatabase, unwatched, world } from '../postgres/support.ts';

const connection = { type: 'embedded', id: 'default', tag: 'default', debugApi: true } as const;

export async function openEmbeddedDatabase(setup: string): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-embedded-'));
  const source = await openEmbeddedSource(connection, join(folder, 'db'), world);
  const client = new pg.Client({ connectionString: source.clientUri });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(setup);
  return {
    name: 'postgres',
    source,
    sql: async (text, args) => (await client.query(text, [...(args ?? [])])).rows ?? [],
    stream: (choices) =>
      source.stream({
        slot: choices?.slot ?? 'slot',
        patterns: (choices?.patterns ?? ['public.%']).map((text) => pattern(text)),
        options: choices?.options ?? options,
        ...unwatched,
      }),
    table: async (name) => {
      const [match] = await source.tables([pattern(`public.${name}`)]);
      if (match?.table === undefined) throw new Error(`No table ${name}`);
      return match.table;
    },
    close: async () => {
      await client.end();
      await source.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
