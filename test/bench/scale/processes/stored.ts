/** Measures costs that do not depend on the number of processes: rows in PostgreSQL, and its work in a second for each client. */
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { firstPosition } from '../../../../server/service/ground/logPosition.ts';
import { openDatabase } from '../../../../server/service/storage/postgres/database.ts';
import { openWriteCheckpoints } from '../../../../server/service/storage/postgres/writeCheckpoints.ts';
import type { TestPostgres } from '../../../support/processes/postgres.ts';
import { median } from '../../measure.ts';
import { pause } from '../../stage.ts';
import { count, type Figure } from '../figure.ts';
import { rowConfig, rowTables } from '../rows.ts';
import { type Fleet, openFleet } from './fleet.ts';

/** `numbers`: the stored write checkpoints. `asking`: the processes that ask for news. */
const sizes = { rows: 100_000, numbers: 200_000, asking: 100 };
/** Uploads in a second, of which a process hears when it asks. */
const uploads = [1, 100, 1_000];
/** Processes that hear a notification, and how many they hear. */
const hearing = { processes: [10, 100], notifications: 50 };
/** The median of them is what it costs. */
const rounds = 5;

export async function storedInPostgres(
  source: TestPostgres,
  storage: TestPostgres,
  program: string | undefined,
): Promise<Figure[]> {
  const tables = rowTables(sizes.rows);
  const fleet = await openFleet({ size: 1, tables, config: rowConfig, program, source, storage });
  try {
    const client = await storage.client(fleet.storedIn);
    const sizeOf = `SELECT sum(pg_total_relation_size(oid)) AS size FROM pg_class
      WHERE relnamespace = 'headwater'::regnamespace AND relkind = 'r'`;
    const { rows } = await client.query<{ size: string }>(sizeOf);
    await client.query(`INSERT INTO headwater.write_checkpoints (hash, number, lsn, user_hash)
      SELECT md5(n::text)::uuid, n, '${firstPosition}', md5(n::text)::uuid FROM generate_series(1, ${sizes.numbers}) n;
      ANALYZE headwater.write_checkpoints`);
    await client.end();
    const asked: Figure[] = [];
    for (const size of uploads)
      asked.push({
        what: `a process asks for the write checkpoints of ${count(size)} uploads: the database`,
        measured: `${(await costOfAsking(fleet, storage, size)).toFixed(2)} ms`,
      });
    const told: Figure[] = [];
    for (const size of hearing.processes)
      told.push({
        what: `a notification to ${size} processes: the database`,
        measured: `${(await costOfNotification(fleet, storage, size)).toFixed(2)} ms`,
      });
    const each = (milliseconds: number) => `${((milliseconds * 1_000) / sizes.rows).toFixed(1)} µs`;
    return [
      {
        what: `${count(sizes.rows)} rows into PostgreSQL: processor of the process, of the database`,
        measured: `${each(fleet.copy.replicating)}, ${each(fleet.copy.database)} a row`,
      },
      {
        what: '… storage of a row of 208 bytes',
        measured: `${(Number(rows[0]?.size) / sizes.rows).toFixed(0)} bytes`,
      },
      ...asked,
      ...told,
    ];
  } finally {
    await fleet.close();
  }
}

/** Milliseconds of the database's processor for one of several processes. */
async function costOfAsking(
  { meter, storedIn }: Fleet,
  storage: TestPostgres,
  uploaded: number,
): Promise<number> {
  const database = openDatabase(storage.connection({ database: storedIn }), { clock: systemClock });
  try {
    const asking = Array.from({ length: sizes.asking }, () => openWriteCheckpoints(database));
    for (const { news } of asking) await news?.();
    const costs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await database.run(`UPDATE headwater.write_checkpoints SET stored_by = txid_current()
        WHERE number <= ${uploaded}`);
      const before = await meter.read();
      for (const { news } of asking) {
        const told = await news?.();
        if (told?.length !== uploaded)
          throw new Error(`${told?.length} of ${uploaded} uploads were announced`);
      }
      const after = await meter.read();
      costs.push((after.processor - before.processor) / sizes.asking);
    }
    return median(costs);
  } finally {
    await database.close();
  }
}

/** Milliseconds of the database's processor until so many connections have heard one. */
async function costOfNotification(
  { meter, storedIn }: Fleet,
  storage: TestPostgres,
  size: number,
): Promise<number> {
  const text = 'x'.repeat(300);
  const clients = await Promise.all(Array.from({ length: size }, () => storage.client(storedIn)));
  const [first] = clients;
  if (first === undefined) return Number.NaN;
  try {
    let missing = 0;
    let done = (): void => undefined;
    for (const client of clients) {
      client.on('notification', () => {
        missing -= 1;
        if (missing === 0) done();
      });
      await client.query('LISTEN bench');
    }
    const costs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      missing = size * hearing.notifications;
      const heard = new Promise<void>((resolve) => {
        done = resolve;
      });
      const before = await meter.read();
      for (let n = 0; n < hearing.notifications; n += 1) {
        await first.query(`SELECT pg_notify('bench', $1)`, [`${n} ${text}`]);
        // Numbers that come at the same moment wake a listener once.
        await pause(5);
      }
      await heard;
      const after = await meter.read();
      costs.push((after.processor - before.processor) / hearing.notifications);
    }
    return median(costs);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}
