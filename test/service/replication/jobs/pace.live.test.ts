/** Pauses, slows and gives up copies in a running service, and checks its reports of their progress. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { patient } from '../../../../scripts/run/patience.ts';
import { postgresPrograms } from '../../../support/processes/postgres.ts';
import {
  type StorageType,
  startServiceOverPostgres,
} from '../../../support/processes/serviceOverPostgres.ts';

const counts = { lists: 3_000, todos: 12_000 };

/** The tables are analyzed while they are nearly empty, so that the statistics are wrong. */
const ddl = `CREATE TABLE lists (id text PRIMARY KEY, owner text, name text) WITH (autovacuum_enabled = false);
CREATE TABLE todos (id int PRIMARY KEY, list text, title text) WITH (autovacuum_enabled = false);
INSERT INTO lists SELECT 'l' || n, 'ada', 'list' FROM generate_series(1, 10) n;
INSERT INTO todos SELECT n, 'l' || n % 5, 'todo' FROM generate_series(1, 10) n;
ANALYZE;
INSERT INTO lists SELECT 'l' || n, CASE WHEN n <= 500 THEN 'ada' ELSE 'ben' END, 'list' FROM generate_series(11, ${counts.lists}) n;
INSERT INTO todos SELECT n, 'l' || n % 5 + 1, repeat('todo ', 40) FROM generate_series(11, ${counts.todos}) n;
CREATE PUBLICATION powersync FOR ALL TABLES`;

const lists = `  lists:
    auto_subscribe: true
    query: SELECT id, owner, name FROM lists WHERE owner = auth.user_id()
`;
const todos = `  todos:
    auto_subscribe: true
    with:
      own: SELECT id FROM lists WHERE owner = auth.user_id()
    query: SELECT id, list, title FROM todos WHERE list IN own
`;
const configOf = (...streams: readonly string[]) => `config:\n  edition: 3\nstreams:\n${streams.join('')}`;
const first = configOf(lists);
/** A config that needs its own slot, because rows with another option cannot be copied beside the former rows. */
const options = `config:\n  edition: 3\n  timestamps_iso8601: false\nstreams:\n${lists}${todos}`;
const next = { beside: configOf(lists, todos), whole: options };

describe.skipIf(postgresPrograms.kind === 'missing').each(['embedded', 'postgresql'] as const)(
  'with a storage of type %s',
  (storage) => {
    describe.each(['beside', 'whole'] as const)('a copy, %s', (kind) => {
      test('can be slowed, paused and resumed, and stays paused after a kill, while the active config keeps replicating', async () => {
        const { deploy, control, copy, until, change, restart, sql } = await start(storage);
        const slot = await deploy(first);
        await until('the first config', async ({ active }) => active?.slot === slot);
        const pending = await deploy(next[kind], 500);
        // The rows are counted, because the statistics know only ten rows of each table.
        const { of_rows: all = 0 } = await copy(
          'rows',
          ({ rows = 0, of_rows: of }) => rows > 0 && of !== undefined,
        );
        const expected = kind === 'beside' ? [counts.todos, counts.todos + counts.lists] : [15_000, 15_000];
        expect(all).toBeGreaterThan(0.95 * (expected[0] ?? 0));
        expect(all).toBeLessThan(1.05 * (expected[1] ?? 0));
        const { rate_limit: limit, remaining_seconds: remaining = 0 } = await copy(
          'the remaining time',
          ({ remaining_seconds: seconds }) => seconds !== undefined,
        );
        expect(limit).toBe(500);
        expect(remaining).toBeGreaterThan(1);
        // A busy machine copies more slowly than the limit. Only the unit can be asserted.
        expect(remaining).toBeLessThan((100 * all) / 500);

        expect(await control('pause')).toMatchObject({
          slot_name: pending,
          state: 'paused',
          rate_limit: 500,
        });
        let seen = -1;
        await copy('rows that stay', async ({ rows = 0 }) => {
          const isSame = rows === seen;
          seen = rows;
          await change();
          return isSame;
        });
        for (let n = 0; n < 3; n += 1) await change();
        expect(await copy('the state', () => true)).toMatchObject({
          state: 'paused',
          rows: seen,
          rate_limit: 500,
        });
        // No statement stays open in the source, because that would keep the source from cleaning up.
        expect(
          await sql(`SELECT query FROM pg_stat_activity WHERE state <> 'idle' AND query LIKE 'COPY (%'`),
        ).toEqual([]);

        await restart();
        await change();
        // Tables become known one after the other, so the first numbers are too small.
        expect(await copy('the rows from before', ({ rows }) => rows === seen)).toMatchObject({
          state: 'paused',
        });

        expect(await control('rate', null)).toEqual({
          slot_name: pending,
          config_number: 2,
          state: 'paused',
        });
        expect(await control('resume')).toEqual({ slot_name: pending, config_number: 2, state: 'copying' });
        await until('the second config', async ({ active, pending: other }) => {
          return active?.content === next[kind] && other === undefined;
        });
        await change();
        await expect(control('pause')).rejects.toThrow('SVC_S4110');
      });

      test('that is given up leaves no bucket, row, lookup, table or slot', async () => {
        const { deploy, control, copy, until, change, census, sql } = await start(storage);
        const slot = await deploy(first);
        await until('the first config', async ({ active }) => active?.slot === slot);
        await change();
        const before = await census();
        expect(before.buckets).toBeGreaterThan(0);
        await deploy(next[kind], 2_000);
        await copy('many rows', ({ rows = 0 }) => rows >= 4_000);
        await control('pause');
        await until('what is copied to be stored', async () => (await census()).lists !== before.lists);
        await expect(control('give-up', undefined, 'another')).rejects.toThrow('SVC_S4110');
        expect(await control('give-up')).toEqual({ state: 'none' });
        let last = {};
        await until('the end', async ({ pending }) => {
          last = await census();
          return pending === undefined && isDeepStrictEqual(last, before);
        }).catch((error: Error) => {
          expect(last, error.message).toEqual(before);
        });
        expect(await sql('SELECT slot_name FROM pg_replication_slots')).toEqual([{ slot_name: slot }]);
        // The active deployment continues, and the same text can be deployed again.
        await change();
        await deploy(next[kind]);
        await until('the second config', async ({ active }) => active?.content === next[kind]);
      });
    });
  },
);

interface Copy {
  readonly state: string;
  readonly rows?: number;
  readonly of_rows?: number;
  readonly rate_limit?: number;
  readonly remaining_seconds?: number;
}

interface DeployedConfig {
  readonly slot: string;
  readonly content: string;
  readonly lsn: string | undefined;
  readonly copy: Copy | undefined;
}

interface Sight {
  readonly active: DeployedConfig | undefined;
  readonly pending: DeployedConfig | undefined;
}

const patience = patient(60_000);
const pause = () => new Promise((resolve) => setTimeout(resolve, 40));

async function start(storage: StorageType) {
  const { storageFolder, service, post, sql, storageSql, restart } = await startServiceOverPostgres(
    storage,
    ddl,
  );

  const look = async (): Promise<Sight> => {
    const data = await post<Record<string, never>>('/api/admin/v1/diagnostics', { sync_rules_content: true });
    const read = (name: string): DeployedConfig | undefined => {
      const found = data[name] as { content: string; connections: Record<string, unknown>[] } | undefined;
      const { slot_name, last_lsn, copy } = found?.connections[0] ?? {};
      return (
        found && {
          slot: slot_name as string,
          content: found.content,
          lsn: last_lsn as string | undefined,
          copy: copy as Copy | undefined,
        }
      );
    };
    return { active: read('active_sync_rules'), pending: read('deploying_sync_rules') };
  };
  const until = async (what: string, condition: (sight: Sight) => Promise<boolean>): Promise<Sight> => {
    const late = AbortSignal.timeout(patience);
    for (;;) {
      const sight = await look();
      if (await condition(sight)) return sight;
      if (late.aborted)
        throw new Error(`In vain: ${what}.\n${JSON.stringify(sight)}\n${service().output().slice(-5000)}`);
      await pause();
    }
  };
  /** The number of changes that were made in the source. The active config has replicated each of them. */
  let changes = 0;
  const change = async (): Promise<void> => {
    changes += 1;
    // The position is read before the commit, because the storage may write to the same log afterwards.
    const [{ lsn } = { lsn: '' }] = await sql(
      `UPDATE lists SET name = 'list ${changes % 10}' WHERE id = 'l1';
       SELECT lpad(split_part(l::text, '/', 1), 8, '0') || '/' || lpad(split_part(l::text, '/', 2), 8, '0') AS lsn
       FROM (SELECT pg_current_wal_insert_lsn() AS l) AS now`,
    );
    await until('a change', async ({ active }) => (active?.lsn ?? '') >= String(lsn));
  };
  return {
    sql,
    until,
    change,
    deploy: async (content: string, rate?: number): Promise<string> => {
      const body = { content, ...(rate !== undefined && { rows_per_second: rate }) };
      const data = await post<Record<string, unknown>>('/api/sync-rules/v1/deploy', body);
      expect(data.rate_limit).toBe(rate);
      return data.slot_name as string;
    },
    control: (action: string, rate?: null, slot?: string) =>
      post<Record<string, unknown>>('/api/admin/v1/copy', {
        action,
        ...(rate === null && { rows_per_second: null }),
        ...(slot !== undefined && { slot_name: slot }),
      }),
    /** Returns the copy once the condition holds. */
    copy: async (what: string, condition: (copy: Copy) => boolean | Promise<boolean>): Promise<Copy> => {
      const { pending } = await until(what, async ({ pending: { copy } = {} as DeployedConfig }) =>
        copy === undefined ? false : condition(copy),
      );
      return pending?.copy as Copy;
    },
    restart,
    /** Counts everything that is stored, of all deployments. */
    census: async (): Promise<Readonly<Record<string, number>>> => {
      const names = {
        operations: '',
        buckets: 'buckets',
        rows: 'current_rows',
        lookups: 'lookups',
        tables: 'tables',
      };
      const rows: Record<string, number> = {};
      const file =
        storage === 'embedded' && new DatabaseSync(join(storageFolder, 'data.sqlite'), { readOnly: true });
      const count = async (what: string): Promise<number> => {
        if (file !== false) return Number(file.prepare(`SELECT ${what} AS n`).get()?.n);
        const [{ n } = { n: 0 }] = await storageSql(
          `SELECT ${what.replace('FROM ', 'FROM headwater.')} AS n`,
        );
        return Number(n);
      };
      try {
        for (const [name, table] of Object.entries(names)) {
          if (table !== '') rows[name] = await count(`(SELECT count(*) FROM ${table})`);
        }
        rows.operations = await count(
          `(SELECT coalesce(sum(${file === false ? '1' : '"count"'}), 0) FROM ${file === false ? 'ops' : 'runs'})`,
        );
        // The size of the memberships and lookups of rows.
        const lists = file === false ? 'length(lists)' : 'length(lists) + length(packed)';
        rows.lists = await count(`(SELECT coalesce(sum(${lists}), 0) FROM current_rows)`);
        rows.traces = await count('(SELECT count(*) FROM tables WHERE beside IS NOT NULL)');
      } finally {
        if (file !== false) file.close();
      }
      return rows;
    },
  };
}
