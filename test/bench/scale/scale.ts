/**
 * What a row, a client and a checkpoint cost at sizes that run on a machine for development: docs/SCALING.md is made of
 * these figures. `npm run bench -- scale NAME …` measures some of it; `--service=FILE` another build, to compare with.
 */
import { startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import { printTable } from '../measure.ts';
import { clearing } from './clearing.ts';
import { evaluation } from './evaluation.ts';
import { fanOut } from './fanOut.ts';
import { cellsOf, type Figure, head } from './figure.ts';
import { idle, idleEnvironment } from './idle.ts';
import { rows, rowTables, shares } from './rows.ts';
import { wide, wideTables } from './wide.ts';
import { openWorld, type World } from './world.ts';

const sizes = [100_000, 300_000];

type Measure = (world: World) => Promise<Figure[]>;

const config = `config:
  edition: 3
streams:
  news:
    query: SELECT * FROM news
  parts:
    query: SELECT * FROM parts WHERE project IN (SELECT project FROM members WHERE person = auth.user_id())
`;
const newsTables = `CREATE TABLE news (id text PRIMARY KEY, body text);
  INSERT INTO news SELECT 'n' || n, repeat('news ', 20) FROM generate_series(1, 10) n;`;

const parts: Readonly<Record<string, (open: Open) => Promise<Figure[]>>> = {
  fanOut: (open) => open(newsTables + wideTables, deployed(fanOut)),
  idle: (open) => open(newsTables + wideTables, deployed(idle), idleEnvironment),
  wide: (open) => open(newsTables + wideTables, deployed(wide)),
  rows: async (open) => {
    const figures: Figure[] = [];
    for (const size of sizes) figures.push(...(await open(rowTables(size), (world) => rows(world, size))));
    const most = sizes.at(-1) ?? 0;
    figures.push(...(await open(rowTables(most), (world) => shares(world, most))));
    return figures;
  },
  clearing: (open) => open(newsTables + rowTables(200_000), clearing),
  evaluation,
};

type Open = (tables: string, measure: Measure, env?: Readonly<Record<string, string>>) => Promise<Figure[]>;

function deployed(measure: Measure): Measure {
  return async (world) => {
    await world.deploy(config);
    return measure(world);
  };
}

export async function bench(): Promise<void> {
  const args = process.argv.slice(3);
  const program = args.find((arg) => arg.startsWith('--service='))?.slice('--service='.length);
  const names = args.filter((arg) => arg in parts);
  const postgres = await startPostgres();
  try {
    for (const name of names.length > 0 ? names : Object.keys(parts)) {
      const open: Open = (tables, measure, env) =>
        measured(postgres, { tables, program, ...(env && { env }) }, measure);
      const figures = (await parts[name]?.(open)) ?? [];
      printTable(`Scale: ${name}`, head, figures.map(cellsOf));
    }
  } finally {
    await postgres.stop();
  }
}

async function measured(
  postgres: TestPostgres,
  options: Parameters<typeof openWorld>[1],
  measure: Measure,
): Promise<Figure[]> {
  const world = await openWorld(postgres, options);
  try {
    return await measure(world);
  } finally {
    await world.close();
  }
}
