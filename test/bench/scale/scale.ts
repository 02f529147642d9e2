/**
 * Measures the cost of a row, a client and a checkpoint, at sizes that a development machine can run. The figures of
 * docs/SCALING.md come from here. `npm run bench -- scale NAME …` measures only the named sections.
 *
 * - `--before COMMIT` (or HEADWATER_BEFORE): also builds that commit, and measures both, section by section.
 * - `--rows 100000,300000`, `--operations 200000`, `--clients 100,1000,5000`, `--processes 1,2,4`: the sizes.
 * - `--minutes 4`: the time limit of one measurement.
 * - `--service FILE`: measures another build of the service.
 */
import { startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import { printTable } from '../measure.ts';
import { type Checkout, openCheckout } from './before/checkout.ts';
import { formerEngine } from './before/formerEngine.ts';
import { clearing, operationsOfRow } from './clearing.ts';
import { evaluation } from './evaluation.ts';
import { fanOut } from './fanOut.ts';
import { comparison, type Figure, tableOf } from './figure.ts';
import { idle, idleEnvironment } from './idle.ts';
import { modelTable } from './model/model.ts';
import { readOptions, type ScaleOptions } from './options.ts';
import { startStorageServer } from './processes/databaseCost.ts';
import { processes } from './processes/processes.ts';
import { rows, rowTables, shares } from './rows.ts';
import { transaction, transactionTables } from './transaction.ts';
import { wide, wideTables } from './wide.ts';
import { workers } from './workers.ts';
import { openWorld, type World, type WorldOptions } from './world.ts';

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

/** The service to measure, and how it is measured. */
interface Ground {
  readonly postgres: TestPostgres;
  readonly program: string | undefined;
  readonly open: Open;
  readonly sizes: ScaleOptions['sizes'];
}

type Open = (
  tables: string,
  measure: Measure,
  choices?: Pick<WorldOptions, 'env' | 'storage'>,
) => Promise<Figure[]>;

/** The sections that measure a service. */
const sections: Readonly<Record<string, (ground: Ground) => Promise<Figure[]>>> = {
  fanOut: ({ open, sizes }) =>
    open(
      newsTables + wideTables,
      deployed((world) => fanOut(world, sizes.clients)),
    ),
  idle: ({ open }) => open(newsTables + wideTables, deployed(idle), { env: idleEnvironment }),
  wide: ({ open }) => open(newsTables + wideTables, deployed(wide)),
  rows: async ({ open, sizes }) => {
    const figures: Figure[] = [];
    for (const size of sizes.rows)
      figures.push(...(await open(rowTables(size), (world) => rows(world, size))));
    const most = Math.min(mostShares, sizes.rows.at(-1) ?? mostShares);
    figures.push(...(await open(rowTables(most), (world) => shares(world, most))));
    return figures;
  },
  processes: ({ postgres, program, sizes }) => processes({ postgres, program, sizes: sizes.processes }),
  workers: ({ postgres, program }) => workers({ postgres, program }),
  transaction: async ({ open, sizes }) => {
    const figures: Figure[] = [];
    for (const size of sizes.operations)
      figures.push(...(await open(transactionTables, (world) => transaction(world, size))));
    return figures;
  },
  clearing: async ({ open, sizes }) => {
    const figures: Figure[] = [];
    for (const size of sizes.operations) {
      const tables = newsTables + rowTables(size / operationsOfRow);
      figures.push(...(await open(tables, (world) => clearing(world, size, 'embedded storage'))));
      const storage = await startStorageServer();
      try {
        figures.push(
          ...(await open(tables, (world) => clearing(world, size, 'PostgreSQL storage'), { storage })),
        );
      } finally {
        await storage.stop();
      }
    }
    return figures;
  },
};

/** The largest number of rows that are divided among 100 clients. */
const mostShares = 300_000;

/** The sections that measure only the engine, without a service. */
const engineSections = { evaluation } as const;

function deployed(measure: Measure): Measure {
  return async (world) => {
    await world.deploy(config);
    return measure(world);
  };
}

export async function bench(): Promise<void> {
  const options = readOptions(process.argv.slice(3));
  const known = [...Object.keys(sections), ...Object.keys(engineSections)];
  const unknown = options.names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no section ${unknown}. There are: ${known.join(', ')}.`);
  const names = options.names.length > 0 ? options.names : known;
  const former = options.before === undefined ? undefined : openCheckout(options.before);
  try {
    const postgres = await startPostgres();
    try {
      const figures: Figure[] = [];
      for (const name of names) figures.push(...(await measureSection(name, { postgres, options, former })));
      const { head, rows } = modelTable(figures);
      if (rows.length > 0)
        printTable('The model of docs/SCALING.md (wanted: off by 25 % at most)', head, rows);
    } finally {
      await postgres.stop();
    }
  } finally {
    former?.close();
  }
}

interface Run {
  readonly postgres: TestPostgres;
  readonly options: ScaleOptions;
  readonly former: Checkout | undefined;
}

/** Measures a section with the former commit, and then with this one. Returns the figures of this commit. */
async function measureSection(name: string, { postgres, options, former }: Run): Promise<readonly Figure[]> {
  const ofService = (program: string | undefined) =>
    sections[name]?.({
      postgres,
      program,
      sizes: options.sizes,
      open: (tables, measure, choices) =>
        measured(postgres, { tables, program, ...choices }, measure, options.patience),
    });
  const before = former && (await sound(name, ofService(former.program) ?? formerEngine(former)));
  const now = await sound(name, ofService(options.service) ?? engineSections.evaluation());
  const { head, rows } = before === undefined ? tableOf(now) : comparison(before, now);
  const compared = former === undefined ? '' : `, before: ${former.commit}`;
  printTable(`Scale: ${name}${compared}`, head, rows);
  return now;
}

/** Turns a failure into a row of the table, so that the other sections still run: a former commit may lack a feature. */
async function sound(name: string, figures: Promise<Figure[]>): Promise<readonly Figure[]> {
  try {
    return await figures;
  } catch (error) {
    return [{ what: `${name} could not be measured`, measured: (error as Error).message.slice(0, 200) }];
  }
}

async function measured(
  postgres: TestPostgres,
  options: WorldOptions,
  measure: Measure,
  patience: number,
): Promise<Figure[]> {
  const world = await openWorld(postgres, options);
  try {
    return await inTime(measure(world), patience);
  } finally {
    await world.close();
  }
}

async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`It takes more than ${milliseconds / 60_000} minutes`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
