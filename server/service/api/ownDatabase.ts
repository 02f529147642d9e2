/** Operations on an embedded database: listing its scripts, running new ones, and recreating the database from them. */
import { situationOf } from '../deployments/lifecycle.ts';
import { ServiceError } from '../ground/errors.ts';
import { firstPosition, laterOf } from '../ground/logPosition.ts';
import type { ResetOptions, ScriptReport, SkippedStatement, SkippedTable } from '../replication/source.ts';
import type { Deployment } from '../storage/deployment.ts';
import type { ApiParts } from './parts.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Returns the scripts. The field is absent if the source is not the service's own, or has no scripts. */
export async function scriptsOf({ source }: ApiParts): Promise<Answer> {
  const { id, tag, own } = source;
  const report = await own?.scripts();
  return { connections: [{ id, tag, embedded: own !== undefined, ...(report && describeReport(report)) }] };
}

/** Runs new scripts. The report shows the state afterwards. */
export async function applyScripts(parts: ApiParts): Promise<Answer> {
  const { source } = parts;
  if (source.own === undefined)
    throw new ServiceError(
      'SVC_S4107',
      `${source.uri} does not belong to the service, which only reads it. Run its migrations with your own tools.`,
    );
  await source.own.applyScripts();
  return scriptsOf(parts);
}

/** Recreates the database. All rows are copied again, because the stored ones are from the former database. */
export async function resetDatabase(parts: ApiParts, rows: ResetOptions['rows']): Promise<Answer> {
  const { source, store, deployer } = parts;
  if (source.own === undefined)
    throw new ServiceError(
      'SVC_S4107',
      `${source.uri} does not belong to the service, which only reads it. Only an embedded database can be reset.`,
    );
  const records = await store.all();
  await source.own.reset({ rows, after: lastPositionIn(records) }, async () => {
    const { pending, serving } = situationOf(await store.all());
    for (const each of [pending, serving])
      if (each !== undefined) await deployer.tell({ kind: 'source reset', id: each.id });
  });
  const { pending, serving } = situationOf(await store.all());
  // A deployment that had failed before the reset needs a new copy.
  if (pending === undefined && serving?.state === 'errored') await deployer.reprocess();
  return scriptsOf(parts);
}

function lastPositionIn(records: readonly Deployment[]): ResetOptions['after'] {
  return records.reduce(
    (last, { lastCheckpointPosition, snapshotPosition }) =>
      laterOf(laterOf(last, lastCheckpointPosition), snapshotPosition),
    firstPosition,
  );
}

function describeReport({ applied, changed, removed, problems, skipped }: ScriptReport): Answer {
  return { scripts: { applied, changed, removed, problems, skipped: skipped.map(describeStatement) } };
}

function describeStatement({ makes, adds, ...statement }: SkippedStatement): Answer {
  const nameOf = ({ schema, name }: SkippedTable) => `${schema}.${name}`;
  return { ...statement, tables: [...new Set([...makes, ...adds].map(nameOf))] };
}
