/** An embedded database of its own, as tests have one of a server: see `../postgres/support.ts`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedSource } from '../../../../server/service/replication/embedded/source.ts';
import type { SourceRig } from '../contract/rig.ts';
import { options, pattern, type TestDatabase, unwatched, world } from '../postgres/support.ts';

const connection = { type: 'embedded', id: 'default', tag: 'default', debugApi: true } as const;

export async function openEmbeddedDatabase(setup: string): Promise<TestDatabase & SourceRig> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-embedded-'));
  const source = await openEmbeddedSource(connection, join(folder, 'db'), world);
  let client = await connect(source.clientUri);
  await client.query(setup);
  return {
    name: 'postgres',
    source,
    sql: async (text, args) => (await client.query(text, [...(args ?? [])])).rows ?? [],
    stream: (choices) =>
      source.stream({
        deploymentName: choices?.slot ?? 'slot',
        patterns: (choices?.patterns ?? ['public.%']).map((text) => pattern(text)),
        options: choices?.options ?? options,
        ...unwatched,
      }),
    table: async (name) => {
      const [match] = await source.tables([pattern(`public.${name}`)]);
      if (match?.table === undefined) throw new Error(`No table ${name}`);
      return match.table;
    },
    mistakes: [],
    crash: async () => {
      process.kill(Number(readFileSync(join(folder, 'db/owner.pid'), 'utf8')), 'SIGKILL');
    },
    recover: async () => {
      await client.end().catch(() => undefined);
      client = await connect(source.clientUri);
    },
    close: async () => {
      await client.end();
      await source.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function connect(connectionString: string | undefined): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
