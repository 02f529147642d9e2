/**
 * Numbers that tell a client when its own uploads have come back: each is valid from the position on at which the
 * source stood when it was asked for, so everything that was committed before lies before it.
 */
import { type Lsn, zeroLsn } from '../ground/lsn.ts';
import type { Clock } from '../ground/world.ts';
import type { Source } from '../replication/source.ts';
import type { RequestedCheckpoint, WriteCheckpointStore } from '../storage/storage.ts';
import type { Feed } from './feed.ts';

export interface WriteCheckpointFeed {
  /** Undefined if there is no higher number. */
  create(key: string): Promise<bigint | undefined>;
  /** A number that the client chose. The greater one of it and what is stored. */
  request(key: string, id: bigint): Promise<bigint>;
  reached(key: string, lsn: Lsn): Promise<bigint | undefined>;
  /** Calls back when {@link reached} may give more than before. */
  watch(key: string, listener: () => void): () => void;
  /** The same for very many, of whom each needs no function of its own. */
  audience<T extends object>(rules: AudienceRules<T>): Audience<T>;
}

interface AudienceRules<T> {
  readonly tell: (one: T) => void;
  /** The number that it knows already; undefined: none, or it is not known which. */
  readonly known: (one: T) => bigint | undefined;
}

interface Audience<T> {
  add(key: string, one: T): void;
  delete(key: string, one: T): void;
}

/** Without a source there are no positions, so nothing can be created. */
export type Positions = Pick<Source, 'position' | 'mark'>;

interface WriteCheckpointDeps {
  readonly store: WriteCheckpointStore;
  readonly source: () => Promise<Positions>;
  readonly feed: Pick<Feed, 'watch'>;
  readonly clock: Clock;
}

/** What an audience is to the feed. */
interface KeyedListeners {
  readonly keys: () => Iterable<string>;
  /** All who watch the key, or only those who do not know this number. */
  readonly tell: (key: string, number?: bigint) => void;
}

/**
 * Milliseconds until the numbers of all who wait are read again, after the position moved: those of other processes, and
 * those from before a restart, are not known here.
 */
const recheckAfter = 1_000;

export function openWriteCheckpointFeed({
  store,
  source,
  feed,
  clock,
}: WriteCheckpointDeps): WriteCheckpointFeed {
  const audiences: KeyedListeners[] = [];
  /** Created by this process, or by one that said so, and not reached yet. */
  const pending = new Map<string, Lsn>();
  let isRechecking = false;
  /** Of all deployments. What is reached only in another one is looked at again until it is reached. */
  let farthest = zeroLsn;

  const tell = (key: string, number?: bigint): void => {
    for (const each of audiences) each.tell(key, number);
  };
  const openAudience = <T extends object>({ tell, known }: AudienceRules<T>): Audience<T> => {
    const crowds = createCrowds<T>();
    audiences.push({
      keys: crowds.keys,
      tell: (key, number) => {
        for (const one of crowds.of(key)) if (number === undefined || (known(one) ?? 0n) < number) tell(one);
      },
    });
    return crowds;
  };
  const listeners = openAudience<{ readonly call: () => void }>({
    tell: ({ call }) => call(),
    known: () => undefined,
  });
  const recheckLater = async (): Promise<void> => {
    if (isRechecking) return;
    isRechecking = true;
    await clock.sleep(recheckAfter);
    isRechecking = false;
    const keys = [...new Set(audiences.flatMap((each) => [...each.keys()]))];
    try {
      for (const [key, number] of await store.reachedAmong(keys, farthest)) tell(key, number);
    } catch {
      // Each of them meets the failure when it looks for itself, and says so.
      for (const key of keys) tell(key);
    }
  };
  feed.watch(({ checkpoint }) => {
    if (checkpoint.lsn > farthest) farthest = checkpoint.lsn;
    for (const [key, lsn] of pending) {
      if (lsn > checkpoint.lsn) continue;
      pending.delete(key);
      tell(key);
    }
    void recheckLater();
  });
  store.watch?.((key, lsn) => {
    if (lsn <= farthest) tell(key);
    else pending.set(key, lsn);
  });

  const inBatch = inBatches(async (store: readonly ((lsn: Lsn) => Promise<boolean>)[]) => {
    const positions = await source();
    const lsn = await positions.position();
    const marks = await Promise.all(store.map((each) => each(lsn)));
    if (marks.includes(true)) await positions.mark();
  });

  return {
    create: async (key) => {
      let id: bigint | undefined;
      await inBatch(async (lsn) => {
        id = await store.create(key, lsn);
        if (id === undefined) return false;
        pending.set(key, lsn);
        return true;
      });
      return id;
    },
    request: async (key, id) => {
      let stored: RequestedCheckpoint = { id, needsMark: false };
      await inBatch(async (lsn) => {
        stored = await store.request(key, id, lsn, clock.now());
        pending.set(key, lsn);
        return stored.needsMark;
      });
      return stored.id;
    },
    reached: (key, lsn) => store.reached(key, lsn),
    watch: (key, call) => {
      const listener = { call };
      listeners.add(key, listener);
      return () => listeners.delete(key, listener);
    },
    audience: openAudience,
  };
}

interface Crowds<T> extends Audience<T> {
  /** As they are now. */
  of(key: string): readonly T[];
  keys(): Iterable<string>;
}

/** Most keys have one: a set for each would take more memory than the rest of it. */
function createCrowds<T extends object>(): Crowds<T> {
  const crowds = new Map<string, T | Set<T>>();
  return {
    add: (key, one) => {
      const others = crowds.get(key);
      if (others instanceof Set) others.add(one);
      else crowds.set(key, others === undefined ? one : new Set([others, one]));
    },
    delete: (key, one) => {
      const all = crowds.get(key);
      if (all === one || (all instanceof Set && all.delete(one) && all.size === 0)) crowds.delete(key);
    },
    of: (key) => {
      const all = crowds.get(key);
      return all instanceof Set ? [...all] : all === undefined ? [] : [all];
    },
    keys: () => crowds.keys(),
  };
}

/** Runs one after the other; what comes while one runs goes together into the next. */
function inBatches<T>(run: (items: readonly T[]) => Promise<void>): (item: T) => Promise<void> {
  let gathering: { readonly items: T[]; readonly done: Promise<void> } | undefined;
  let running: Promise<unknown> = Promise.resolve();
  return (item) => {
    if (gathering !== undefined) {
      gathering.items.push(item);
      return gathering.done;
    }
    const items = [item];
    const done = running.then(() => {
      gathering = undefined;
      return run(items);
    });
    gathering = { items, done };
    running = done.catch(() => {});
    return done;
  };
}
