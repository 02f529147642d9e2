import type { Compactable } from '../compactDeployment.ts';
import type { LookupEntry } from '../compaction.ts';
import { type DeploymentState, stoppedStates } from '../deployment.ts';
import type { OpId } from '../storage.ts';
import { damagedRow } from '../storageFailure.ts';
import type { Database } from './database.ts';
import { checkOfLookup, isSound } from './runs/checks.ts';
import type { Check } from './runs/columns.ts';
import { compactRuns } from './runs/compactRuns.ts';

/** The maximum numbers for one step, which takes about a millisecond. */
const atOnce = { buckets: 1_000, lookups: 500 } as const;

export function openCompactable(database: Database, deployment: number, checkpoint: OpId): Compactable {
  const { reading, writing, spareTime } = database;
  const selectBuckets = reading.prepareRows(
    `SELECT id, name FROM buckets WHERE deployment = ? AND name > ? ORDER BY name LIMIT ${atOnce.buckets}`,
  );
  const lookups = reading.prepare(
    `SELECT op_id AS opId, lookup, source_table AS "table", hex(source_key) AS sourceKey, result,
       "check" FROM lookups
     WHERE deployment = ? AND (lookup, source_table, source_key, op_id) > (?, ?, unhex(?), ?) AND op_id <= ?
     ORDER BY lookup, source_table, source_key, op_id LIMIT ${atOnce.lookups}`,
  );
  const removeLookup = writing.prepare(
    `DELETE FROM lookups
     WHERE deployment = ? AND lookup = ? AND source_table = ? AND source_key = unhex(?) AND op_id = ?`,
  );

  const selectState = reading.prepareRows('SELECT state FROM deployments WHERE id = ?');

  return {
    isStopped: () =>
      spareTime.read(() => {
        const [state] = (selectState.get(deployment) ?? []) as unknown as [DeploymentState?];
        return state !== undefined && stoppedStates.includes(state);
      }),
    buckets: async (names) => {
      const wanted = names && new Set(names);
      const found: number[] = [];
      for (let last: string | undefined = ''; last !== undefined; ) {
        const after: string = last;
        const rows = await spareTime.read(
          () => selectBuckets.all(deployment, after) as unknown as readonly BucketRow[],
        );
        for (const [id, name] of rows) if (wanted?.has(name) ?? true) found.push(id);
        last = rows.at(-1)?.[1];
      }
      return found;
    },
    ...compactRuns(database, checkpoint),
    lookupsAfter: ({ lookup, table, sourceKey, opId } = first) =>
      spareTime.read(() =>
        lookups.all(deployment, lookup, table, sourceKey, opId, checkpoint).map((row) => {
          const { check, ...entry } = row as unknown as CheckedEntry;
          if (!isSound(check, checkOfEntry(entry))) throw damagedRow(`the lookup ${entry.lookup}`);
          return entry;
        }),
      ),
    removeLookups: (entries) =>
      spareTime.transaction(() => {
        for (const { lookup, table, sourceKey, opId } of entries)
          removeLookup.run(deployment, lookup, table, sourceKey, opId);
      }),
  };
}

interface CheckedEntry extends LookupEntry {
  readonly check: Check;
}

function checkOfEntry({ lookup, table, sourceKey, opId, result }: LookupEntry): number {
  return checkOfLookup(lookup, table, Buffer.from(sourceKey, 'hex'), opId, result);
}

/** An entry that precedes all others. */
const first: LookupEntry = { opId: 0, lookup: '', table: 0, sourceKey: '', result: '' };

type BucketRow = readonly [id: number, name: string];
