/**
 * The whole path: a real PostgreSQL, the built service with its embedded storage, clients that count what they get.
 * The yardstick is the reference service on a machine of two cores, with PostgreSQL as its storage.
 */
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { percentile, printTable } from './measure.ts';
import { insert, isActive, openStage, openStream, pause, type Stage, type StreamName } from './stage.ts';

const ROWS = 100_000;

export async function bench(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const rows: string[][] = [];
    for (const name of ['owner', 'global'] as const) rows.push(...(await measure(postgres, name)));
    printTable('From the source to clients', ['what', 'ours', 'reference', 'ratio', 'target'], rows);
  } finally {
    await postgres.stop();
  }
}

/** Of the reference, per second or in milliseconds. */
const yardsticks = {
  copy: { owner: 10_100, global: 13_200 },
  stream: { owner: 11_900, global: 14_600 },
  firstSync: 36_200,
  latency: { p50: 9.3, p95: 12.8 },
  memory: 634,
} as const;

async function measure(postgres: TestPostgres, name: StreamName): Promise<string[][]> {
  const bench = await openStage(postgres, name, ROWS);
  try {
    const lines = [await copied(bench, name), await streamed(bench, name)];
    if (name === 'global') {
      for (const clients of [1, 10, 100]) lines.push(await downloaded(bench, clients));
      lines.push(...(await latencies(bench)));
    }
    return [...lines, memoryLine(bench, name)];
  } finally {
    await bench.close();
  }
}

/** From the deploy until it is active. */
async function copied(bench: Stage, name: StreamName): Promise<string[]> {
  const start = performance.now();
  while (!(await isActive(bench))) await pause(20);
  return rateLine(`initial replication, ${name}`, ROWS, performance.now() - start, yardsticks.copy[name], 4);
}

/** 50,000 inserts in transactions of 100, until the last one is at a client. */
async function streamed(bench: Stage, name: StreamName): Promise<string[]> {
  const client = await openStream(bench.service, 'owner-0');
  await client.completed();
  const start = performance.now();
  for (let n = 0; n < 500; n += 1) await bench.query(insert(100));
  await bench.query(`INSERT INTO items (owner_id, title) VALUES ('owner-0', 'the very last')`);
  await client.saw('the very last');
  const elapsed = performance.now() - start;
  client.close();
  return rateLine(`streaming, ${name}`, 50_000, elapsed, yardsticks.stream[name], 4);
}

async function downloaded({ service }: Stage, clients: number): Promise<string[]> {
  const start = performance.now();
  const opened = await Promise.all(Array.from({ length: clients }, () => openStream(service, 'owner-0')));
  await Promise.all(opened.map(({ completed }) => completed()));
  const elapsed = performance.now() - start;
  const ops = opened.reduce((sum, { ops: count }) => sum + count(), 0);
  for (const client of opened) client.close();
  return rateLine(`first sync, ${clients} clients`, ops, elapsed, yardsticks.firstSync, 8);
}

async function latencies({ service, query }: Stage): Promise<string[][]> {
  const client = await openStream(service, 'owner-0');
  await client.completed();
  const { rows } = (await query('SELECT id FROM items LIMIT 1')) as { rows: { id: string }[] };
  const id = rows[0]?.id;
  const times: number[] = [];
  for (let n = 0; n < 300; n += 1) {
    const text = `latency ${n} of the run`;
    const seen = client.saw(text);
    // Its execution counts, too: nobody outside sees the moment of its commit.
    const start = performance.now();
    await Promise.all([query(`UPDATE items SET title = '${text}' WHERE id = '${id}'`), seen]);
    times.push(performance.now() - start);
    await pause(10);
  }
  client.close();
  return (['p50', 'p95'] as const).map((name) => {
    const time = percentile(times, Number(name.slice(1)));
    const reference = yardsticks.latency[name];
    const target = name === 'p50' ? '≤ 5 ms' : '≤ 8 ms';
    return [
      `commit to client, ${name}`,
      `${time.toFixed(1)} ms`,
      `${reference} ms`,
      `${(reference / time).toFixed(1)} ×`,
      target,
    ];
  });
}

function rateLine(what: string, count: number, elapsed: number, reference: number, target: number): string[] {
  const rate = (count / elapsed) * 1000;
  const shown = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
  return [what, shown(rate), shown(reference), `${(rate / reference).toFixed(1)} ×`, `≥ ${target} ×`];
}

function memoryLine({ peak }: Stage, name: StreamName): string[] {
  const ratio = `${(yardsticks.memory / peak()).toFixed(1)} ×`;
  return [
    `memory at its peak, ${name}`,
    `${peak().toFixed(0)} MB`,
    `${yardsticks.memory} MB`,
    ratio,
    '≥ 3 ×',
  ];
}
