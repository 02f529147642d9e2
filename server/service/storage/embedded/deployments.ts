/** The deployments and their states, in the embedded storage. */
import type { StatementSync } from 'node:sqlite';
import {
  type Decide,
  type Deployment,
  type DeploymentChange,
  skippedDeployments,
  skippedNumbers,
} from '../deployment.ts';
import {
  changedFrom,
  checkpointOf,
  type DecidedChange,
  deploymentsOf,
  textOfPace,
} from '../deploymentRows.ts';
import type { Notices } from '../notices.ts';
import type { DeploymentStore } from '../storage.ts';
import type { Database, ReadingDatabase } from './database.ts';
import { demandSound } from './recordChecks.ts';

export interface Deployments extends DeploymentStore {
  /** Must be called inside of a transaction. */
  decide(decide: Decide): DecidedChange;
}

const selectAll = 'SELECT * FROM deployments ORDER BY id';

export function openDeploymentReader({ reading, read }: ReadingDatabase): Pick<DeploymentStore, 'all'> {
  const readAll = reading.prepare(selectAll);
  return { all: () => read(() => soundDeploymentsOf(readAll)) };
}

function soundDeploymentsOf(selection: StatementSync): Deployment[] {
  return deploymentsOf(demandSound(selection.all(), 'deployments'));
}

/** @param onChange resolves when a copy of the records has been written */
export function openDeployments(
  database: Database,
  notices: Notices,
  onChange: () => Promise<void>,
): Deployments {
  const { writing } = database;
  const loadAll = writing.prepare(selectAll);
  const insert = writing.prepare(
    `INSERT INTO deployments (state, content, slot_name, storage_version, created_at, deployed_by, reason, base, anew, pace)
     VALUES ('processing', ?, '', ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setSlotName = writing.prepare('UPDATE deployments SET slot_name = ? WHERE id = ?');
  const keepContent = writing.prepare(
    `INSERT INTO deployments (state, content, slot_name, storage_version, created_at, deployed_by)
     SELECT 'terminated', content, slot_name, storage_version, created_at, deployed_by FROM deployments WHERE id = ?`,
  );
  const setContent = writing.prepare(
    `UPDATE deployments SET stored_content = coalesce(stored_content, content), content = ?, revision = revision + ?,
       created_at = ?, deployed_by = ? WHERE id = ?`,
  );
  const setTexts = writing.prepare(
    'UPDATE deployments SET stored_content = coalesce(stored_content, content), stored_texts = ? WHERE id = ?',
  );
  const setAlone = writing.prepare('UPDATE deployments SET base = NULL, anew = NULL WHERE id = ?');
  const setRest = writing.prepare('UPDATE deployments SET has_rest = ? WHERE id = ?');
  const setPace = writing.prepare('UPDATE deployments SET pace = ? WHERE id = ?');
  const setState = writing.prepare('UPDATE deployments SET state = ? WHERE id = ?');
  const setError = writing.prepare('UPDATE deployments SET last_error = ?, last_error_at = ? WHERE id = ?');
  const skipNumbers = [
    `UPDATE instance SET last_op = last_op + ${skippedNumbers}`,
    `UPDATE sqlite_sequence SET seq = seq + ${skippedDeployments} WHERE name = 'deployments'`,
    'DELETE FROM write_checkpoints WHERE requested_at IS NOT NULL',
    `UPDATE write_checkpoints SET number = number + ${skippedNumbers}, reached_number = NULL`,
  ].map((sql) => writing.prepare(sql));

  const apply = (change: DeploymentChange) => {
    switch (change.kind) {
      case 'insert': {
        const { content, storageVersion, at, by = null, reason = null, base = null, anew } = change;
        const again = anew === undefined ? null : JSON.stringify(anew);
        const pace = textOfPace(change.pace);
        const { lastInsertRowid } = insert.run(content, storageVersion, at, by, reason, base, again, pace);
        const id = Number(lastInsertRowid);
        setSlotName.run(change.deploymentNameOf(id), id);
        return;
      }
      case 'content':
        keepContent.run(change.id);
        setContent.run(change.content, change.isSame ? 0 : 1, change.at, change.by ?? null, change.id);
        return;
      case 'stored texts':
        setTexts.run(JSON.stringify(change.storedTexts), change.id);
        return;
      case 'alone':
        setAlone.run(change.id);
        return;
      case 'rest':
        setRest.run(change.hasRest ? 1 : 0, change.id);
        return;
      case 'pace':
        setPace.run(textOfPace(change.pace), change.id);
        return;
      case 'state':
        setState.run(change.state, change.id);
        return;
      case 'error':
        setError.run(change.error?.message ?? null, change.error?.at ?? null, change.id);
        return;
      case 'skip numbers':
        for (const statement of skipNumbers) statement.run();
    }
  };

  const decide = (decideOn: Decide): DecidedChange => {
    const before = soundDeploymentsOf(loadAll);
    const changes = decideOn(before);
    if (changes.length === 0) return { records: before, isChanged: false };
    for (const change of changes) apply(change);
    return changedFrom(before, soundDeploymentsOf(loadAll));
  };

  return {
    ...openDeploymentReader(database),
    change: async (decideOn) => {
      const { records, activated, isChanged } = await database.transaction(() => decide(decideOn));
      if (isChanged) await onChange();
      const checkpoint = activated && checkpointOf(activated);
      if (activated && checkpoint) {
        const { id: deployment, revision } = activated;
        notices.send({ deployment, checkpoint, activated: { revision } });
      }
      return records;
    },
    // No other process changes the records.
    watch: () => () => {},
    decide,
  };
}
