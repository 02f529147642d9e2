/** The routes under `/api/admin/v1`, which the official command line and our own client call. */
import { situationOf } from '../deployments/lifecycle.ts';
import { distinctValues } from '../ground/distinctValues.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Route } from '../http/route.ts';
import { describeSource } from '../replication/describeSource.ts';
import type { SourceHealth } from '../replication/source.ts';
import type { NamedReport } from '../storage/compactor.ts';
import { findFullDisk } from '../storage/storageFailure.ts';
import type { ConnectedClient } from '../sync/clients.ts';
import { answerAffectedUsers } from './affectedUsers.ts';
import { answerClientToken, problemsInClientToken } from './clientToken.ts';
import { answerCopyOrder, namesOf, problemsInCopyOrder } from './copyOrders.ts';
import { executeSql, problemsInSql } from './executeSql.ts';
import { answerStreams, explainRows, problemsInExplain, problemsInStreams } from './explain.ts';
import { findTables, unreachableTables } from './foundTables.ts';
import { answerLimits, problemsInLimits } from './limits/limits.ts';
import { answerMap } from './map.ts';
import { applyScripts, resetDatabase, scriptsOf } from './ownDatabase.ts';
import { allowBoolean, allowText, requireText } from './parameters.ts';
import type { ApiParts } from './parts.ts';
import { SourceSilence, withPatience } from './patience.ts';
import { answerPreflight, reviewSource } from './preflight.ts';
import { capErrors, type ReplicationError, replicationErrorsOf } from './problems.ts';
import { connectionError, type StatusOptions, statusOf, timestamp } from './status.ts';
import { answerUsers } from './users.ts';
import { answerVerify, problemsInVerify } from './verify.ts';
import { answerWriteRow, openJourneys, problemsInJourney, problemsInRow } from './writeRow.ts';

const admin = { method: 'POST', access: 'admin', group: 'api', body: 'json' } as const;
const root = '/api/admin/v1';

export function adminRoutes(parts: ApiParts): readonly Route[] {
  return [
    ...databaseRoutes(parts),
    {
      ...admin,
      path: `${root}/diagnostics`,
      isPolled: true,
      problemsIn: (parameters) => [
        ...allowBoolean('sync_rules_content')(parameters),
        ...allowBoolean('connected_clients')(parameters),
        ...allowBoolean('bucket_counts')(parameters),
      ],
      answer: async ({ parameters }) => ({
        data: await withPatience(parts.clock, (inTime) =>
          diagnose(parts, {
            inTime,
            withContent: parameters.sync_rules_content === true,
            withClients: parameters.connected_clients === true,
            withBuckets: parameters.bucket_counts === true,
          }),
        ),
      }),
    },
    {
      ...admin,
      path: `${root}/schema`,
      isPolled: true,
      answer: async () => ({ data: await schemaOf(parts) }),
    },
    {
      ...admin,
      path: `${root}/validate`,
      problemsIn: requireText('sync_rules'),
      answer: async ({ parameters }) => ({
        data: await validate(parameters.sync_rules as string, parts),
      }),
    },
    {
      ...admin,
      path: `${root}/preflight`,
      problemsIn: allowText('sync_rules'),
      answer: async ({ parameters }) => ({ data: await answerPreflight(parameters, parts) }),
    },
    {
      ...admin,
      path: `${root}/reprocess`,
      answer: async () => {
        const copied = await parts.deployer.reprocess();
        return { data: { connections: [{ ...identityOf(parts), ...namesOf(copied) }] } };
      },
    },
    {
      ...admin,
      path: `${root}/copy`,
      problemsIn: problemsInCopyOrder,
      answer: async ({ parameters }) => ({ data: await answerCopyOrder(parameters, parts) }),
    },
    {
      ...admin,
      path: `${root}/compact`,
      answer: async () => {
        const reports = await parts.compactor.now();
        return { data: { compacted: reports.map(compactionAnswer) } };
      },
    },
    {
      ...admin,
      path: `${root}/verify`,
      problemsIn: problemsInVerify,
      answer: async ({ parameters }) => ({ data: await answerVerify(parameters, parts) }),
    },
    {
      ...admin,
      path: `${root}/client-token`,
      problemsIn: problemsInClientToken,
      answer: async ({ parameters }) => ({ data: await answerClientToken(parameters, parts) }),
    },
    {
      ...admin,
      path: `${root}/client-keys`,
      answer: async () => ({ data: await parts.checkClientKeys() }),
    },
    {
      ...admin,
      path: `${root}/map`,
      isPolled: true,
      answer: async () => ({ data: await answerMap(parts, await schemaOf(parts)) }),
    },
    {
      ...admin,
      path: `${root}/limits`,
      problemsIn: problemsInLimits,
      answer: async ({ parameters, signal }) => ({ data: await answerLimits(parameters, parts, signal) }),
    },
    {
      ...admin,
      path: `${root}/explain`,
      problemsIn: problemsInExplain,
      answer: async (call) => ({ data: await explainRows(call, parts) }),
    },
    {
      ...admin,
      path: `${root}/streams`,
      problemsIn: problemsInStreams,
      answer: async ({ parameters }) => ({ data: await answerStreams(parameters, parts) }),
    },
    {
      ...admin,
      path: `${root}/users`,
      problemsIn: allowText('search'),
      answer: async (call) => ({ data: await answerUsers(call, parts, () => schemaOf(parts)) }),
    },
    {
      ...admin,
      path: `${root}/affected-users`,
      problemsIn: requireText('sync_rules'),
      answer: async (call) => ({ data: await answerAffectedUsers(call, parts, () => schemaOf(parts)) }),
    },
  ];
}

/** The routes for the source database, and for the scripts and rows of an embedded one. */
function databaseRoutes(parts: ApiParts): readonly Route[] {
  const journeys = openJourneys(parts);
  return [
    { ...admin, path: `${root}/scripts`, answer: async () => ({ data: await scriptsOf(parts) }) },
    { ...admin, path: `${root}/apply-migrations`, answer: async () => ({ data: await applyScripts(parts) }) },
    {
      ...admin,
      path: `${root}/reset-database`,
      problemsIn: allowBoolean('seed'),
      answer: async ({ parameters }) => ({
        data: await resetDatabase(parts, parameters.seed === true ? 'seeds' : 'none'),
      }),
    },
    {
      ...admin,
      path: `${root}/write-row`,
      problemsIn: problemsInRow,
      answer: async ({ parameters, signal }) => ({
        data: await answerWriteRow(parameters, parts, journeys.begin(signal)),
      }),
    },
    {
      ...admin,
      path: `${root}/execute-sql`,
      problemsIn: problemsInSql,
      answer: async ({ parameters, signal }) => ({ data: await executeSql(parameters, parts, signal) }),
    },
    {
      ...admin,
      path: `${root}/journey`,
      isPolled: true,
      problemsIn: problemsInJourney,
      answer: async ({ parameters }) => ({ data: journeys.read(parameters) }),
    },
  ];
}

function compactionAnswer({ deploymentName, ...counts }: NamedReport): object {
  return { slot_name: deploymentName, ...counts };
}

async function diagnose(
  parts: ApiParts,
  asked: Omit<StatusOptions, 'records'> & { readonly withClients: boolean },
): Promise<Record<string, unknown>> {
  const { source, store } = parts;
  const [health, records, diskErrors] = await Promise.all([
    asked.inTime(source.health()).catch(healthInSilence),
    asked.inTime(store.all()).catch(storageInSilence),
    asked.inTime(diskErrorsOf(parts)).catch(() => []),
  ]);
  const options = { ...asked, records };
  const { serving, pending } = situationOf(records);
  const { connected, problems } = health;
  const isDeployed = serving !== undefined || pending !== undefined;
  const errors = [...problems, ...diskErrors, ...(isDeployed ? [] : lostConfigErrors(parts))];
  return {
    service: parts.program,
    ...(parts.workers && { workers: parts.workers() }),
    connections: [{ id: source.id, postgres_uri: source.uri, connected, errors }],
    ...(serving && { active_sync_rules: await statusOf(serving, parts, options) }),
    ...(pending && { deploying_sync_rules: await statusOf(pending, parts, options) }),
    ...(options.withClients && { connected_clients: parts.clients().map(describeClient) }),
  };
}

/** Returns errors of the disk, even if nothing had to be written yet or nothing is deployed. */
async function diskErrorsOf({ dataFolder, clock }: ApiParts): Promise<readonly ReplicationError[]> {
  const message = dataFolder === undefined ? undefined : await findFullDisk(dataFolder);
  if (message === undefined) return [];
  return [{ level: 'fatal', code: 'SVC_S2401', kind: 'full disk', message, ts: timestamp(clock.now()) }];
}

function lostConfigErrors({ storage: { lostConfig }, clock }: ApiParts): readonly ReplicationError[] {
  if (lostConfig === undefined) return [];
  return [{ level: 'fatal', code: 'SVC_S2403', message: lostConfig, ts: timestamp(clock.now()) }];
}

function healthInSilence(error: unknown): SourceHealth {
  if (!(error instanceof SourceSilence)) throw error;
  return { connected: false, problems: [error.problem] };
}

function storageInSilence(error: unknown): never {
  if (!(error instanceof SourceSilence)) throw error;
  throw new ServiceError('SVC_S2402', 'The storage does not answer, so the deployments are unknown.');
}

/** The maximum number of subscriptions of one client in an answer. */
const mostSubscriptions = 100;

function describeClient({
  userId,
  clientId,
  transport,
  since,
  subscriptions,
  position,
}: ConnectedClient): Record<string, unknown> {
  const at = position();
  return {
    user_id: userId,
    client_id: clientId,
    transport,
    connected_ts: timestamp(since),
    subscriptions: subscriptions.slice(0, mostSubscriptions).map(({ stream, parameters }) => ({
      stream,
      parameters: parameters === undefined ? null : JSON.parse(parameters.text),
    })),
    ...(at && { last_op_id: String(at.opId), buckets: at.buckets, complete: at.complete }),
  };
}

async function schemaOf({ source }: ApiParts): Promise<Record<string, unknown>> {
  return describeSource(source, await source.schema());
}

/** Returns the same answer as the status of a deployment, for a config that is not deployed. */
async function validate(content: string, parts: ApiParts): Promise<Record<string, unknown>> {
  const config = parts.configs.read(content);
  const ts = timestamp(parts.clock.now());
  const ofConfig = replicationErrorsOf(config).map((error) => ({ ...error, ts }));
  if (!config.valid) return { connections: [], errors: capErrors(ofConfig) };
  let ofSource: readonly ReplicationError[] = [];
  const tables = await findTables(config, parts.source)
    .then(async (found) => {
      ofSource = await reviewSource(config, parts.source);
      return found;
    })
    .catch((error: Error) => unreachableTables(config, connectionError(error, parts.clock.now())));
  const infos = tables.map(({ info }) => info);
  return {
    connections: [{ ...identityOf(parts), slot_name: '', initial_replication_done: false, tables: infos }],
    errors: capErrors(distinctValues([...ofSource, ...infos.flatMap(({ errors }) => errors), ...ofConfig])),
  };
}

function identityOf({ source }: ApiParts): { readonly id: string; readonly tag: string } {
  return { id: source.id, tag: source.tag };
}
