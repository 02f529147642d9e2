/** Compares all stored data of a deployment with its source, table by table. */

import { replicates } from '../../engine/plan/evaluate/evaluate.ts';
import { belongsTo } from '../../engine/plan/evaluate/names.ts';
import type { RunningConfig } from '../deployments/syncConfigs.ts';
import type { Clock } from '../ground/world.ts';
import { untilPublished } from '../replication/jobs/published.ts';
import type { Replicator } from '../replication/jobs/replicator.ts';
import { contentsWithoutRest } from '../replication/rows/storedParts.ts';
import { isRemade, reasonText, shapeChanges } from '../replication/rows/tableShape.ts';
import { fullName, resolveTable } from '../replication/rows/tables.ts';
import { type MatchedTable, type Source, SourceFailure, type TableInfo } from '../replication/source.ts';
import type { Deployment } from '../storage/deployment.ts';
import type { OpId, Storage, StoredContents, StoredTable } from '../storage/storage.ts';
import { openBudget } from './budget.ts';
import { compareTable, skippedTable, type TableComparison } from './compareTable.ts';
import { openBucketHistory } from './history.ts';
import { openPicture } from './picture.ts';

export interface ComparedTable extends TableComparison {
  /** Absent if the table was not compared. */
  readonly info?: TableInfo;
}

export interface VerificationParts {
  readonly storage: Pick<Storage, 'reader' | 'stored'>;
  readonly source: Source;
  /** Sends a task to replication, if this process replicates. */
  readonly send: Replicator['send'];
  readonly clock: Clock;
}

interface Work {
  readonly deployment: Deployment;
  readonly config: RunningConfig;
  /** The share of the time, above 0 and up to 1. */
  readonly share: number;
  readonly signal: AbortSignal;
  readonly onTable: (compared: ComparedTable) => void;
}

/** Returns the buckets whose histories are damaged. */
export async function verifyDeployment(parts: VerificationParts, work: Work): Promise<readonly string[]> {
  const { source, send, clock } = parts;
  const { deployment, config, share, signal, onTable } = work;
  const { id } = deployment;
  const { evaluator, options, parts: storedParts } = config.storing;
  const isStored = belongsTo(storedParts);
  const storage = {
    reader: parts.storage.reader,
    stored: (each: number) => contentsWithoutRest(parts.storage.stored(each), isStored),
  };
  const reader = storage.reader(id);
  const stored = storage.stored(id);
  const budget = openBudget(share, clock, signal);
  const picture = openPicture();
  const history = openBucketHistory(storage, id, picture, budget.rest);
  const silent = { onProgress: () => {}, onWaiting: () => {} };
  const stream = source.stream({
    deploymentName: deployment.deploymentName,
    patterns: evaluator.tables,
    options,
    ...silent,
  });
  const settle = async (): Promise<OpId> => {
    let newest = (await reader.checkpoint())?.opId ?? 0;
    await send(id, async (replication) => {
      newest = (await reader.checkpoint())?.opId ?? 0;
      await replication.stream.settle(signal);
      return 'has only read';
    });
    return newest;
  };
  const catchUp = () => untilPublished(parts, id, signal);
  const { tag } = source;
  const comparison = { history, picture, stored, stream, evaluator, tag, settle, catchUp, budget, signal };
  const compare = async (each: ComparableTable): Promise<ComparedTable> => {
    const { info, record } = each;
    const { report, ...compared } = await compareTable(info, record, comparison);
    const changes = await changesOf(each, { source, stored, catchUp });
    return { ...compared, report: { ...report, ...(changes.length > 0 && { changes }) }, info };
  };
  try {
    const records = (await stored.tables()).filter(({ schema, name }) =>
      replicates(evaluator.tables, { tag, schema, name }),
    );
    for (const each of tablesOf(await source.tables(evaluator.tables), records)) {
      if (signal.aborted) break;
      if (each.kind === 'skipped') onTable(skippedTable(each.name, each.reason));
      else {
        const compared = await compare(each).catch((error) => skippedUnreadable(each.info, error));
        if (!signal.aborted) onTable(compared);
      }
    }
    return [...history.damaged];
  } finally {
    picture.close();
    await stream.close().catch(() => {});
  }
}

/** If the source refuses to read one table, the others can still be compared. */
function skippedUnreadable(info: TableInfo, error: unknown): ComparedTable {
  const isRefused = error instanceof SourceFailure && (error.kind === 'settings' || error.kind === 'other');
  if (!isRefused) throw error;
  return skippedTable(fullName(info), `it cannot be read: ${error.message}`);
}

type TableMatch =
  | { readonly kind: 'comparable'; readonly info: TableInfo; readonly record: StoredTable }
  | { readonly kind: 'skipped'; readonly name: string; readonly reason: string };

type ComparableTable = Extract<TableMatch, { readonly kind: 'comparable' }>;

interface DefinitionParts {
  readonly source: Source;
  readonly stored: Pick<StoredContents, 'tables'>;
  readonly catchUp: () => Promise<boolean>;
}

/**
 * Returns how the definition of a table differs from the one with which its rows were copied. A difference counts only if
 * replication has passed the current position of the source without removing it.
 */
async function changesOf(
  { info, record }: ComparableTable,
  { source, stored, catchUp }: DefinitionParts,
): Promise<readonly string[]> {
  if (!isRemade(record.shape, await source.shape(info.sourceId)) || !(await catchUp())) return [];
  const latest = (await stored.tables()).find(({ id }) => id === record.id);
  if (latest?.copied !== true) return [];
  return shapeChanges(latest.shape, await source.shape(info.sourceId)).map(reasonText);
}

function tablesOf(matched: readonly MatchedTable[], records: readonly StoredTable[]): readonly TableMatch[] {
  const known = new Set<number>();
  const found = matched.flatMap(({ table: info, replicated }): TableMatch[] => {
    if (info === undefined) return [];
    const { reused: record } = resolveTable(info, records);
    const name = fullName(info);
    if (record !== undefined) known.add(record.id);
    if (!replicated) return [{ kind: 'skipped', name, reason: 'its changes are not replicated' }];
    if (record?.copied !== true) return [{ kind: 'skipped', name, reason: 'it is not copied yet' }];
    return [{ kind: 'comparable', info, record }];
  });
  const gone = records
    .filter(({ id }) => !known.has(id))
    .map((record): TableMatch => {
      return {
        kind: 'skipped',
        name: fullName(record),
        reason: 'the source no longer has it, or has replaced it',
      };
    });
  return [...found, ...gone];
}
