/** The costs of deploys that change little: rows, by the statistics of the source, and operations of apps. */
import type { Figure } from '../scale/figure.ts';
import { count } from '../scale/figure.ts';
import type { World } from '../scale/world.ts';
import { pause } from '../stage.ts';
import { type CountingApp, openCountingApp } from './apps.ts';
import { configOf, itemStreams, people, tableNames } from './rows.ts';

/** Milliseconds after which an idle session of the source has told its statistics: PGSTAT_IDLE_INTERVAL, 10 s, and a bit. */
const statisticsAfter = 11_500;

const [first = '', ...others] = itemStreams;
const changed = first.replace('SELECT *', 'SELECT id, project, title');

/** The texts in the order in which they are deployed. */
const atOnce: Readonly<Record<string, string>> = {
  'a comment': `# A comment\n${configOf(itemStreams)}`,
  'another formatting': configOf([
    first.replace(' WHERE project IN', '\n      WHERE project\n      IN'),
    ...others,
  ]),
  'a renamed alias': configOf([first.replaceAll('own', 'mine'), ...others]),
  'one stream taken away': configOf(itemStreams.slice(0, -1)),
};

/** All streams are active. */
export async function reuse(world: World): Promise<Figure[]> {
  const apps = await Promise.all(people.map((person) => openCountingApp(world.service.url, person)));
  try {
    for (const app of apps) for (const table of tableNames) await app.until(rowsOf(table, 'true'), 500);
    const before = await countsOf(world, apps);
    const { figures, after } = await deployAtOnce(world, apps, before);
    return [...figures, ...(await changeOne(world, apps, after))];
  } finally {
    for (const app of apps) await app.close();
  }
}

async function deployAtOnce(
  world: World,
  apps: readonly CountingApp[],
  before: Counts,
): Promise<{ readonly figures: readonly Figure[]; readonly after: Counts }> {
  const figures: Figure[] = [];
  for (const [name, content] of Object.entries(atOnce)) {
    const elapsed = await world.deploy(content);
    await showNote(world, apps, name);
    figures.push({
      what: `${name}: until it is active`,
      measured: `${elapsed.toFixed(0)} ms`,
      wanted: '< 1,000 ms',
    });
  }
  for (const app of apps) await app.until(rowsOf(tableNames.at(-1) ?? '', 'true'), 0);
  const after = await countsOf(world, apps);
  figures.push(
    { what: '… rows read by all four', measured: readBetween(before, after, tableNames), wanted: '0' },
    {
      what: '… operations to apps by all four',
      measured: operationsBetween(before, after, tableNames),
      wanted: '0',
    },
    sentFigure(before, after, 0, Object.keys(atOnce).length),
  );
  return { figures, after };
}

async function changeOne(
  world: World,
  apps: readonly CountingApp[],
  before: Counts,
): Promise<readonly Figure[]> {
  const [own = '', ...rest] = tableNames;
  const elapsed = await world.deploy(configOf([changed, ...others.slice(0, -1)]));
  await showNote(world, apps, 'one stream changed');
  for (const app of apps) await app.until(rowsOf(own, 'done IS NULL AND title IS NOT NULL'), 500);
  const after = await countsOf(world, apps);
  const rows = count(Number((await ask(world, `SELECT count(*) AS n FROM ${own}`))[0]?.n));
  const wanted = apps.length * 500;
  return [
    { what: 'one stream changed: until it is active', measured: `${(elapsed / 1_000).toFixed(1)} s` },
    { what: '… rows read of its table', measured: readBetween(before, after, [own]), wanted: rows },
    {
      what: '… of the others',
      measured: readBetween(before, after, [...rest, 'members']),
      wanted: '0',
    },
    {
      what: '… operations to apps of its buckets',
      measured: operationsBetween(before, after, [own]),
      wanted: count(wanted),
    },
    { what: '… of the others', measured: operationsBetween(before, after, rest), wanted: '0' },
    {
      what: '… buckets that an app has still, and new ones',
      measured: bucketsBetween(before, after),
      wanted: '9 and 1',
    },
    sentFigure(before, after, wanted, 1),
  ];
}

const rowsOf = (table: string, condition: string) => `SELECT count(*) FROM ${table} WHERE ${condition}`;

/** Waits until all apps show the note, which costs each of them an operation. The next checkpoint has arrived by then. */
async function showNote({ query }: World, apps: readonly CountingApp[], text: string): Promise<void> {
  await query(`UPDATE notes SET body = '${text}' WHERE id IN ('${people.join("','")}')`);
  for (const app of apps) await app.until('SELECT body FROM notes', text);
}

interface Counts {
  /** The number of rows that were read since the tables exist. */
  readonly read: ReadonlyMap<string, number>;
  readonly operations: ReadonlyMap<string, number>;
  /** The buckets of each app. */
  readonly buckets: readonly (readonly string[])[];
  /** Operations that the service has sent, of all kinds. */
  readonly sent: number;
}

async function countsOf(world: World, apps: readonly CountingApp[]): Promise<Counts> {
  await pause(statisticsAfter);
  const read = await ask(
    world,
    'SELECT relname, coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS n FROM pg_stat_user_tables',
  );
  const operations = new Map<string, number>();
  for (const app of apps)
    for (const [table, n] of await app.operations()) operations.set(table, (operations.get(table) ?? 0) + n);
  return {
    read: new Map(read.map(({ relname, n }) => [String(relname), Number(n)])),
    operations,
    buckets: await Promise.all(apps.map((app) => app.bucketNames())),
    sent: await sentBy(world),
  };
}

async function sentBy({ service }: World): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const lines = text.matchAll(/^powersync_operations_synced_total(?:\{.*\})? (\d+)/gm);
  return [...lines].reduce((sum, [, n]) => sum + Number(n), 0);
}

async function ask({ query }: World, sql: string): Promise<readonly Record<string, unknown>[]> {
  return ((await query(sql)) as { readonly rows: readonly Record<string, unknown>[] }).rows;
}

function sumBetween(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  tables: readonly string[],
): string {
  return count(tables.reduce((sum, table) => sum + (after.get(table) ?? 0) - (before.get(table) ?? 0), 0));
}

const readBetween = (before: Counts, after: Counts, tables: readonly string[]) =>
  sumBetween(before.read, after.read, tables);
const operationsBetween = (before: Counts, after: Counts, tables: readonly string[]) =>
  sumBetween(before.operations, after.operations, tables);

/** @param notes shown to each app meanwhile */
function sentFigure(before: Counts, after: Counts, wanted: number, notes: number): Figure {
  const sent = after.sent - before.sent - notes * people.length;
  return { what: '… operations that the service has sent', measured: count(sent), wanted: count(wanted) };
}

function bucketsBetween(before: Counts, after: Counts): string {
  const all = after.buckets.map((names, index) => {
    const known = new Set(before.buckets[index]);
    // The bucket of the notes is always the same.
    const kept = names.filter((name) => known.has(name)).length;
    return `${kept} and ${names.length - kept}`;
  });
  return [...new Set(all)].join(', ');
}
