/** The newest checkpoints, and who wants to know of them: one watch of the storage for all connections. */
import { createListeners } from '../ground/listeners.ts';
import type { Checkpoint, Notice, OpId, Storage } from '../storage/storage.ts';

/** Deployments have growing numbers, and so have the revisions of each. */
export interface ServedRevision {
  readonly deployment: number;
  readonly revision: number;
}

export interface Feed {
  /**
   * Returns undefined if the deployment does not have a checkpoint yet.
   *
   * @param seen the last operation that a client has. Another process may have sent it, and what it has told this one may be late
   * or lost: then the storage is asked, so that the client does not go back.
   */
  newest(deployment: number, seen?: OpId): Promise<Checkpoint | undefined>;
  /** Whether something newer than this has become active while this process watched. */
  isOutdated(served: ServedRevision): boolean;
  /** Listeners are called in the order in which they came, after {@link newest} knows. */
  watch(listener: (notice: Notice) => void): () => void;
  close(): void;
}

export function openFeed(storage: Pick<Storage, 'watch' | 'reader'>): Feed {
  const known = new Map<number, Checkpoint>();
  const listeners = createListeners<Notice>();
  let activated: ServedRevision = { deployment: 0, revision: 0 };
  const hear = (notice: Notice): void => {
    const { deployment, checkpoint } = notice;
    const before = known.get(deployment);
    if (notice.activated) {
      known.clear();
      activated = { deployment, ...notice.activated };
    }
    // The checkpoint that was read from the storage may be newer than the announced one.
    known.set(deployment, before !== undefined && before.lsn > checkpoint.lsn ? before : checkpoint);
    listeners.call(notice);
  };
  const close = storage.watch(hear);
  return {
    isOutdated: ({ deployment, revision }) =>
      activated.deployment > deployment ||
      (activated.deployment === deployment && activated.revision > revision),
    newest: async (deployment, seen = 0) => {
      const published = known.get(deployment);
      if (published !== undefined && published.opId >= seen) return published;
      const stored = await storage.reader(deployment).checkpoint();
      const meanwhile = known.get(deployment);
      if (stored === undefined || (meanwhile !== undefined && meanwhile.lsn >= stored.lsn)) return meanwhile;
      // No notice has described the changes until then, so anything may have changed.
      hear({ deployment, checkpoint: stored });
      return stored;
    },
    watch: listeners.watch,
    close,
  };
}
