/** One process that replicates and some that serve, over one PostgreSQL as storage. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionConfig, type TestPostgres } from '../../../support/processes/postgres.ts';
import { type ServiceProcess, startServiceProcess } from '../../../support/processes/serviceProcess.ts';
import { becomeActive } from '../../path.ts';
import { deploy, processorTime, serviceConfig } from '../../stage.ts';
import { limits } from '../world.ts';
import { type CostMeter, openCostMeter } from './databaseCost.ts';

export interface Fleet {
  readonly serving: readonly ServiceProcess[];
  /** Runs SQL on the source. */
  readonly query: (sql: string) => Promise<unknown>;
  readonly meter: CostMeter;
  /** The database of the storage. */
  readonly storedIn: string;
  readonly spent: () => Promise<Spent>;
  /** The costs from the deploy until it was active. */
  readonly copy: Spent & { readonly elapsed: number };
  readonly close: () => Promise<void>;
}

/** Milliseconds of processors, and statements. */
export interface Spent {
  readonly serving: number;
  readonly replicating: number;
  readonly database: number;
  readonly statements: number;
}

interface FleetOptions {
  readonly size: number;
  readonly tables: string;
  readonly config: string;
  readonly program: string | undefined;
  readonly source: TestPostgres;
  readonly storage: TestPostgres;
}

export async function openFleet({
  size,
  tables,
  config,
  program,
  source,
  storage,
}: FleetOptions): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  const [database, stored] = [await source.createDatabase(), await storage.createDatabase()];
  const client = await source.client(database);
  const query = (sql: string) => client.query(sql);
  await query(`CREATE PUBLICATION powersync FOR ALL TABLES; ${tables}; ANALYZE`);
  const file = join(folder, 'service.yaml');
  const settings = JSON.parse(serviceConfig(source, database, folder, { limits })) as object;
  writeFileSync(file, JSON.stringify({ ...settings, storage: connectionConfig(storage, stored) }));
  const start = (role: string) =>
    startServiceProcess(file, { args: ['--role', role], ...(program && { program }) });
  const replicating = await start('sync');
  const serving: ServiceProcess[] = [];
  for (let n = 0; n < size; n += 1) serving.push(await start('api'));
  const [first] = serving;
  if (first === undefined) throw new Error('Nothing serves');
  const meter = await openCostMeter(storage, stored);
  const spent = async (): Promise<Spent> => {
    const { processor: ofDatabase, statements } = await meter.read();
    return {
      serving: serving.reduce((sum, { pid }) => sum + processorTime(pid), 0),
      replicating: processorTime(replicating.pid),
      database: ofDatabase,
      statements,
    };
  };
  const before = await spent();
  const deployedAt = performance.now();
  await deploy(first, config);
  await becomeActive({ service: first }, config);
  const elapsed = performance.now() - deployedAt;
  return {
    copy: { ...spentBetween(before, await spent()), elapsed },
    serving,
    query,
    meter,
    storedIn: stored,
    spent,
    close: async () => {
      await Promise.all([meter.close(), client.end()]);
      await Promise.all([...serving, replicating].map((each) => each.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function spentBetween(before: Spent, after: Spent): Spent {
  return {
    serving: after.serving - before.serving,
    replicating: after.replicating - before.replicating,
    database: after.database - before.database,
    statements: after.statements - before.statements,
  };
}
