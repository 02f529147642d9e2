/** The findings of the source's preflight, for callers of the API and for the review of a deploy. */
import { tablesOf } from '../../engine/plan/evaluate/evaluate.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import type { SyncConfig } from '../deployments/syncConfigs.ts';
import type { ServiceErrorCode } from '../ground/errors.ts';
import { problemsOf, toSourceProblem } from '../replication/preflight.ts';
import type { Source } from '../replication/source.ts';
import type { ApiParts } from './parts.ts';
import type { ReplicationError } from './problems.ts';

/** Answers with the findings for the given sync config, or for the deployed one. */
export async function answerPreflight(
  { sync_rules: content }: Readonly<Record<string, unknown>>,
  parts: ApiParts,
): Promise<Record<string, unknown>> {
  const { source } = parts;
  return { source: source.uri, checks: await source.preflight(await patternsFor(content, parts)) };
}

async function patternsFor(
  content: unknown,
  { configs, store }: ApiParts,
): Promise<Parameters<Source['preflight']>[0]> {
  if (typeof content === 'string') {
    const config = configs.read(content);
    return config.valid ? tablesOf(config.plans) : 'The sync config has errors, so its tables are unknown.';
  }
  const { serving, pending } = situationOf(await store.all());
  const deployed = pending ?? serving;
  return deployed === undefined
    ? 'No sync config is deployed, so the tables to check are unknown.'
    : tablesOf(configs.of(deployed).plans);
}

/** The codes of problems that are already reported for each table. */
const ofTables: ReadonlySet<ServiceErrorCode> = new Set([
  'SVC_S1141',
  'SVC_S1145',
  'SVC_S1165',
  'SVC_S1167',
  'SVC_S1168',
]);

/** Returns the problems that prevent the replication of a config, except problems of its tables. */
export async function reviewSource(config: SyncConfig, source: Source): Promise<readonly ReplicationError[]> {
  const checks = await source.preflight(tablesOf(config.plans));
  return problemsOf(checks)
    .filter(({ code }) => !ofTables.has(code))
    .map(toSourceProblem);
}
