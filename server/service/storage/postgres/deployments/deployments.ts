/** The deployments and their states, in the PostgreSQL storage. */
import type { Clock } from '../../../ground/world.ts';
import { type Decide, type DeploymentChange, skippedDeployments, skippedNumbers } from '../../deployment.ts';
import {
  changedFrom,
  checkpointOf,
  type DecidedChange,
  deploymentsOf,
  textOfPace,
} from '../../deploymentRows.ts';
import type { DeploymentStore } from '../../storage.ts';
import { answerTogether } from '../answerTogether.ts';
import type { Database, Run } from '../database.ts';
import type { Messages } from '../messages.ts';
import { schema } from '../schema.ts';
import { changeCertainly } from './certainChange.ts';

export interface Deployments extends DeploymentStore {
  /** Waits for other decisions. In a transaction that decides about the active deployment, it must be called first. */
  wait(run: Run): Promise<void>;
  /** Must be called inside of a transaction. */
  decide(run: Run, decide: Decide): Promise<DecidedChange>;
}

const table = `${schema}.deployments`;

export function openDeployments(database: Database, messages: Messages, clock: Clock): Deployments {
  const load = async (run: Run) => deploymentsOf(await run(`SELECT * FROM ${table} ORDER BY id`));

  /** Makes each decision see the result of the previous one. */
  const wait = async (run: Run): Promise<void> => {
    await run(`SELECT pg_advisory_xact_lock(hashtext('${schema} deployments'))`);
  };
  const decide = async (run: Run, decideOn: Decide): Promise<DecidedChange> => {
    await wait(run);
    // The serving deployment is also locked, because the decision may depend on its checkpoint.
    await run(`SELECT FROM ${table} WHERE state = 'active' FOR UPDATE`);
    const before = await load(run);
    const changes = decideOn(before);
    if (changes.length === 0) return { records: before, isChanged: false };
    for (const change of changes) await apply(run, change);
    return changedFrom(before, await load(run));
  };

  // Batched, because each client asks when it connects.
  const all = answerTogether(
    async (askers: readonly undefined[]) => {
      const records = await load(database.run);
      return askers.map(() => records);
    },
    { running: 2, items: Number.POSITIVE_INFINITY },
  );

  return {
    all: () => all(undefined),
    change: async (decideOn) => {
      const { records, notice } = await changeCertainly({ database, clock, wait }, async (run) => {
        const { records, isChanged, activated } = await decide(run, decideOn);
        if (isChanged) await messages.publishDeployments(run);
        const checkpoint = activated && checkpointOf(activated);
        if (!activated || !checkpoint) return { records };
        const { id: deployment, revision } = activated;
        const notice = { deployment, checkpoint, activated: { revision } };
        await messages.publish(run, notice);
        return { records, notice };
      });
      if (notice) messages.tell(notice);
      return records;
    },
    watch: messages.watchDeployments,
    wait,
    decide,
  };
}

async function apply(run: Run, change: DeploymentChange): Promise<void> {
  switch (change.kind) {
    case 'insert': {
      const [{ id = 0 } = {}] = await run<{ id: number }>(
        `INSERT INTO ${table} (state, content, slot_name, storage_version, created_at, deployed_by, reason, base, anew, pace)
         VALUES ('processing', $1, '', $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
        [
          ...[change.content, change.storageVersion, change.at, change.by ?? null],
          ...[change.reason ?? null, change.base ?? null],
          change.anew === undefined ? null : JSON.stringify(change.anew),
          textOfPace(change.pace),
        ],
      );
      await run(`UPDATE ${table} SET slot_name = $1 WHERE id = $2`, [change.deploymentNameOf(id), id]);
      return;
    }
    case 'content':
      await run(
        `INSERT INTO ${table} (state, content, slot_name, storage_version, created_at, deployed_by)
         SELECT 'terminated', content, slot_name, storage_version, created_at, deployed_by FROM ${table} WHERE id = $1`,
        [change.id],
      );
      await run(
        `UPDATE ${table} SET stored_content = coalesce(stored_content, content), content = $1,
           revision = revision + $2, created_at = $3, deployed_by = $4 WHERE id = $5`,
        [change.content, change.isSame ? 0 : 1, change.at, change.by ?? null, change.id],
      );
      return;
    case 'stored texts':
      await run(
        `UPDATE ${table} SET stored_content = coalesce(stored_content, content), stored_texts = $1 WHERE id = $2`,
        [JSON.stringify(change.storedTexts), change.id],
      );
      return;
    case 'alone':
      await run(`UPDATE ${table} SET base = NULL, anew = NULL WHERE id = $1`, [change.id]);
      return;
    case 'rest':
      await run(`UPDATE ${table} SET has_rest = $1 WHERE id = $2`, [change.hasRest ? 1 : 0, change.id]);
      return;
    case 'pace':
      await run(`UPDATE ${table} SET pace = $1 WHERE id = $2`, [textOfPace(change.pace), change.id]);
      return;
    case 'state':
      await run(`UPDATE ${table} SET state = $1 WHERE id = $2`, [change.state, change.id]);
      return;
    case 'error': {
      const { message = null, at = null } = change.error ?? {};
      await run(`UPDATE ${table} SET last_error = $1, last_error_at = $2 WHERE id = $3`, [
        message,
        at,
        change.id,
      ]);
      return;
    }
    case 'skip numbers': {
      const checkpoints = `${schema}.write_checkpoints`;
      await run(`UPDATE ${schema}.instance SET last_op = last_op + ${skippedNumbers}`);
      await run(
        `SELECT setval(pg_get_serial_sequence('${table}', 'id'), max(id) + ${skippedDeployments}) FROM ${table}`,
      );
      await run(`DELETE FROM ${checkpoints} WHERE requested_at IS NOT NULL`);
      await run(`UPDATE ${checkpoints} SET number = number + ${skippedNumbers}, reached_number = NULL`);
    }
  }
}
