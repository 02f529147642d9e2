/** The work of a row from the source to clients, without the measuring. */
import { type CountingClient, insert, isActive, openStream, pause, type Stage } from './stage.ts';

/** Resolves when a config is active. @param content default: any config */
export async function becomeActive(bench: Pick<Stage, 'service'>, content?: string): Promise<void> {
  while (!(await isActive(bench, content))) await pause(20);
}

/** Inserts rows in transactions of 100, and a last row with this title. */
export async function feed({ query }: Stage, rows: number, last: string): Promise<void> {
  for (let n = 0; n < rows / 100; n += 1) await query(insert(100));
  await query(`INSERT INTO items (owner_id, title) VALUES ('owner-0', '${last}')`);
}

/** Resolves with the number of operations that new clients get with their first checkpoint. */
export async function download(bench: Stage, clients: number): Promise<number> {
  const opening = Array.from({ length: clients }, () => openStream(bench.service, 'owner-0'));
  const opened: CountingClient[] = await Promise.all(opening);
  await Promise.all(opened.map(({ completed }) => completed()));
  for (const client of opened) client.close();
  return opened.reduce((sum, { ops }) => sum + ops(), 0);
}

const changes = 300;

/** Measures the milliseconds until a client has a change of a row, and until the source has committed it. */
export async function timeCommits({ service, query }: Stage): Promise<{
  readonly times: readonly number[];
  readonly commits: readonly number[];
}> {
  const client = await openStream(service, 'owner-0');
  await client.completed();
  const { rows } = (await query('SELECT id FROM items LIMIT 1')) as { rows: { id: string }[] };
  const id = rows[0]?.id;
  const times: number[] = [];
  const commits: number[] = [];
  for (let n = 0; n < changes; n += 1) {
    const text = `latency ${n} of the run`;
    const seen = client.saw(text);
    // The execution of the statement counts too, because nobody outside sees the moment of its commit.
    const start = performance.now();
    const changed = query(`UPDATE items SET title = '${text}' WHERE id = '${id}'`);
    await Promise.all([changed.then(() => commits.push(performance.now() - start)), seen]);
    times.push(performance.now() - start);
    await pause(10);
  }
  client.close();
  return { times, commits };
}
