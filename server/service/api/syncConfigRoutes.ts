/** The routes under `/api/sync-rules/v1`: deploy, plan, validate, read and reprocess. */
import { readDeployedConfigs } from '../deployments/deployedConfigs.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import type { SyncConfig } from '../deployments/syncConfigs.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Route } from '../http/route.ts';
import type { TableInfo } from '../replication/source.ts';
import type { Deployment } from '../storage/deployment.ts';
import { namesOf, problemsInDeployRate, refuseConfigured } from './copyOrders.ts';
import { describeConfig } from './description.ts';
import { findTables } from './foundTables.ts';
import { allowTexts, allowUserName, requireText } from './parameters.ts';
import type { ApiParts } from './parts.ts';
import { diagnosticsOf } from './problems.ts';

const root = '/api/sync-rules/v1';

export function syncConfigRoutes(parts: ApiParts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: `${root}/deploy`,
      access: 'admin',
      group: 'api',
      body: 'yaml',
      problemsIn: (parameters) => [
        ...requireText('content')(parameters),
        ...problemsInDeployRate(parameters),
        ...allowUserName('deployed_by')(parameters),
      ],
      // The rate and the user are additions to the reference API.
      answer: async ({ parameters: { content, rows_per_second: rate, deployed_by: by } }) => {
        refuseConfigured(parts);
        const limit = rate as number | undefined;
        const deployed = await parts.deployer.deploy(content as string, {
          ...(limit !== undefined && { rowsPerSecond: limit }),
          ...(by !== undefined && { by: by as string }),
        });
        // Clients need it in the answer, because other services would copy at full
        // speed.
        return { data: { ...namesOf(deployed), ...(limit !== undefined && { rate_limit: limit }) } };
      },
    },
    {
      method: 'POST',
      path: `${root}/plan`,
      access: 'admin',
      group: 'api',
      body: 'yaml',
      problemsIn: requireText('content'),
      answer: async ({ parameters }) => ({ data: await answerPlan(parts, parameters.content as string) }),
    },
    {
      method: 'POST',
      path: `${root}/validate`,
      access: 'admin',
      group: 'api',
      body: 'yaml',
      problemsIn: requireText('content'),
      answer: async ({ parameters }) => {
        const config = parts.configs.read(parameters.content as string);
        return { plain: await verdictOn(config, parts), pretty: true };
      },
    },
    {
      method: 'GET',
      path: `${root}/current`,
      access: 'admin',
      group: 'api',
      body: 'none',
      answer: async () => {
        const records = await parts.store.all();
        const { serving, pending } = situationOf(records);
        if (serving === undefined) throw new ServiceError('SVC_S4104');
        const { of } = readDeployedConfigs(records);
        const describe = async (deployment: Deployment) => ({
          slot_name: deployment.deploymentName,
          // Not in the reference API; clients that do not know a field ignore it.
          config_number: of(deployment)?.number,
          content: deployment.content,
          ...(await verdictOn(parts.configs.of(deployment), parts)),
        });
        const next = pending === undefined ? null : await describe(pending);
        return { data: { current: await describe(serving), next }, pretty: true };
      },
    },
    {
      method: 'POST',
      path: `${root}/reprocess`,
      access: 'admin',
      group: 'api',
      body: 'json',
      problemsIn: allowTexts('streams'),
      answer: async ({ parameters: { streams } }) => {
        return { data: namesOf(await parts.deployer.reprocess(streams as readonly string[] | undefined)) };
      },
    },
  ];
}

/** Returns the verdict on a config. If the source does not answer, the config counts as invalid. */
async function verdictOn(config: SyncConfig, { source }: ApiParts): Promise<Record<string, unknown>> {
  const { errors, diagnostics } = diagnosticsOf(config);
  if (errors.length > 0) return { valid: false, errors, diagnostics };
  try {
    const tables = await findTables(config, source);
    return { valid: true, ...describeConfig(config, tables), diagnostics };
  } catch (error) {
    return { valid: false, errors: [error instanceof Error ? error.message : String(error)], diagnostics };
  }
}

/** Answers with the streams that change, the rows to copy, and the rows that clients download. */
async function answerPlan(
  { deployer, source }: Pick<ApiParts, 'deployer' | 'source'>,
  content: string,
): Promise<Record<string, unknown>> {
  const { outcome, replacesPending, streams, tables: copied } = await deployer.foresee(content);
  const matched = copied.length > 0 ? await source.tables(copied) : [];
  const tables = new Map(
    matched.flatMap(({ table, replicated }) =>
      table !== undefined && replicated ? [[table.sourceId, table]] : [],
    ),
  );
  return {
    outcome: outcome.replaceAll(' ', '_'),
    replaces_pending: replacesPending,
    streams: streams.map(({ stream, change, isDownloaded }) => ({
      name: stream,
      change: change === 'untouched' ? 'kept' : change,
      downloaded: isDownloaded,
    })),
    tables: await measureTables([...tables.values()], source),
  };
}

async function measureTables(
  tables: readonly TableInfo[],
  source: ApiParts['source'],
): Promise<readonly Record<string, unknown>[]> {
  const measured: Record<string, unknown>[] = [];
  for (const table of tables) {
    const { schema, name } = table;
    const rows = await rowsOf(table, source);
    measured.push({ schema, name, ...(rows !== undefined && { estimated_rows: rows }) });
  }
  return measured;
}

/** Returns the approximate number of rows. Statistics alone may be much older than the rows. Undefined if it cannot be measured. */
async function rowsOf(table: TableInfo, source: ApiParts['source']): Promise<number | undefined> {
  try {
    return (await source.measure(table)).rows;
  } catch {
    return undefined;
  }
}
