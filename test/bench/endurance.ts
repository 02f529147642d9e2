/** A million rows, a hundred clients, and the updates of a day as fast as they go: what the service holds meanwhile. */
import { startPostgres } from '../support/processes/postgres.ts';
import { printTable } from './measure.ts';
import { handlesOf, isActive, openStage, openStream, pause, residentMegabytes, type Stage } from './stage.ts';

const rowCount = 1_000_000;
const clientCount = 100;

/** One a second for 24 hours. */
const updateCount = 86_400;

export async function bench(): Promise<void> {
  const postgres = await startPostgres();
  const stage = await openStage(postgres, 'owner', rowCount);
  try {
    const start = performance.now();
    while (!(await isActive(stage))) await pause(100);
    const lines = [line(stage, `${rowCount.toLocaleString('en')} rows copied, ${seconds(start)} s`)];
    await stage.query('CREATE INDEX ON items (owner_id)');
    const before = handlesOf(stage.service.pid);
    const clients = await connect(stage);
    lines.push(
      line(stage, `${clientCount} clients have their ${(rowCount / clientCount).toLocaleString('en')} rows`),
    );
    const updating = performance.now();
    for (let quarter = 1; quarter <= 4; quarter += 1) {
      await update(stage, updateCount / 4);
      lines.push(
        line(stage, `${((updateCount / 4) * quarter).toLocaleString('en')} updates, ${seconds(updating)} s`),
      );
    }
    const last = clients[0]?.saw('the last of the day');
    await stage.query(`UPDATE items SET title = 'the last of the day' WHERE owner_id = 'owner-0'`);
    await last;
    for (const client of clients) client.close();
    for (let round = 0; round < 5; round += 1) for (const client of await connect(stage)) client.close();
    await pause(3000);
    lines.push(line(stage, `all clients gone, after 600 connections; ${before} handles before them`));
    printTable('Memory and handles of the service', ['when', 'now', 'peak', 'handles'], lines);
  } finally {
    await stage.close();
    await postgres.stop();
  }
}

async function connect({ service }: Stage) {
  const opened = Array.from({ length: clientCount }, (_, n) => openStream(service, `owner-${n}`));
  const clients = await Promise.all(opened);
  await Promise.all(clients.map(({ completed }) => completed()));
  return clients;
}

/** Single rows, each a transaction of its own, sent many at once. */
async function update({ query }: Stage, count: number): Promise<void> {
  for (let done = 0; done < count; done += 100) {
    const sql = `UPDATE items SET title = title || '.' WHERE ctid = (SELECT ctid FROM items WHERE owner_id = 'owner-%' LIMIT 1)`;
    const statements = Array.from({ length: 100 }, (_, n) => `BEGIN; ${sql.replace('%', String(n))}; COMMIT`);
    await query(statements.join(';\n'));
  }
}

function line({ service, peak }: Stage, when: string): string[] {
  const now = residentMegabytes(service.pid).toFixed(0);
  return [when, `${now} MB`, `${peak().toFixed(0)} MB`, String(handlesOf(service.pid))];
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(0);
}
