/** Publishes a checkpoint in the transaction of a commit, and notifies the other processes. */
import type { LogPosition } from '../../../ground/logPosition.ts';
import { mayPublish } from '../../consistency.ts';
import { outcomeOf } from '../../deploymentRows.ts';
import type { recordChanges } from '../../notices.ts';
import type { CommitOptions, CommitResult, Notice, OpId } from '../../storage.ts';
import { lostRight } from '../../storageFailure.ts';
import type { Run } from '../database.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Messages } from '../messages.ts';
import { changeState, loadState } from '../replicationState.ts';

export interface PublishParts {
  readonly deployments: Deployments;
  readonly messages: Messages;
  readonly changes: Pick<ReturnType<typeof recordChanges>, 'parts'>;
  readonly deployment: number;
}

interface Commit {
  readonly position: LogPosition;
  readonly options: CommitOptions;
  /** The last id of the deployment, as written by this writer. */
  readonly lastOp: OpId;
}

interface Publication {
  readonly result: CommitResult;
  /** The notice to send after the transaction is durable. */
  readonly notice?: Notice;
}

/** Publishes a checkpoint if the rule of consistency allows one. It is a part of a transaction. */
export async function publish(run: Run, commit: Commit, parts: PublishParts): Promise<Publication> {
  const { deployments, messages, changes, deployment } = parts;
  const { position, lastOp } = commit;
  const { activate, takeOver, at, last, acknowledges = position } = commit.options;
  // All transactions lock the record after this, so that no two of them wait for each other.
  if (takeOver !== undefined) await deployments.wait(run);
  const current = await loadState(run, deployment);
  if (current.lastOp !== lastOp) throw lostRight(deployment);
  const passed = [acknowledges, last?.position ?? null, last?.mark ?? null, at] as const;
  if (!mayPublish(current, position)) {
    await changeState(run, deployment, 'keepAlive', ...passed);
    return { result: { published: false } };
  }
  const checkpoint = { opId: await changeState(run, deployment, 'publish', ...passed, position), position };
  const isActive = current.state === 'active';
  const decideOn = isActive ? takeOver : activate;
  const decided = decideOn && (await deployments.decide(run, decideOn));
  if (decided?.isChanged) await messages.publishDeployments(run);
  const result: CommitResult = {
    published: true,
    checkpoint,
    ...(decided && outcomeOf(decided, isActive)),
  };
  if (result.putOff) return { result };
  const activated = decided?.activated?.id === deployment ? decided.activated : undefined;
  const changed = changes.parts();
  const notice: Notice = {
    deployment,
    checkpoint,
    ...(activated && { activated: { revision: activated.revision } }),
    ...(changed && { changed }),
  };
  await messages.publish(run, notice);
  return { result, notice };
}
