/** The newest checkpoints, with one watch of the storage for all connections. */
import { createListeners } from '../ground/listeners.ts';
import type { Checkpoint, Notice, OpId, Storage } from '../storage/storage.ts';

/** An active revision. Newer deployments have greater numbers, and so do newer revisions of a deployment. */
export interface ServedRevision {
  readonly deployment: number;
  readonly revision: number;
}

export interface Feed {
  /**
   * Returns undefined if the deployment does not have a checkpoint yet.
   *
   * @param seen the last operation that a client has. Another process may have sent it, and the notice of that checkpoint may be
   * late or lost. In that case, the storage is asked, so that the client does not go back.
   */
  newest(deployment: number, seen?: OpId): Promise<Checkpoint | undefined>;
  /** Whether a newer revision has become active since this process began to watch. */
  isOutdated(served: ServedRevision): boolean;
  /** Adds a listener. Listeners are called in the order in which they were added, after {@link newest} has been updated. */
  watch(listener: (notice: Notice) => void): () => void;
  close(): void;
}

export function openFeed(storage: Pick<Storage, 'watch' | 'reader'>): Feed {
  const known = new Map<number, Checkpoint>();
  const listeners = createListeners<Notice>();
  let activated: ServedRevision | undefined;
  const hear = (notice: Notice): void => {
    const { deployment, checkpoint } = notice;
    const before = known.get(deployment);
    if (notice.activated) {
      known.clear();
      activated = { deployment, ...notice.activated };
    }
    // The checkpoint that was read from the storage may be newer than the announced one.
    known.set(
      deployment,
      before !== undefined && before.position > checkpoint.position ? before : checkpoint,
    );
    listeners.call(notice);
  };
  const close = storage.watch(hear);
  return {
    isOutdated: ({ deployment, revision }) =>
      activated !== undefined &&
      (activated.deployment > deployment ||
        (activated.deployment === deployment && activated.revision > revision)),
    newest: async (deployment, seen = 0) => {
      const published = known.get(deployment);
      if (published !== undefined && published.opId >= seen) return published;
      const stored = await storage.reader(deployment).checkpoint();
      const meanwhile = known.get(deployment);
      if (stored === undefined || (meanwhile !== undefined && meanwhile.position >= stored.position))
        return meanwhile;
      // The changes up to this checkpoint are unknown, so the notice reports that anything may have changed.
      hear({ deployment, checkpoint: stored });
      return stored;
    },
    watch: listeners.watch,
    close,
  };
}
