/**
 * Numbers that tell a client when its own uploads have come back: each is valid from the position on at which the
 * source stood when it was asked for, so everything that was committed before lies before it.
 */
import { type Lsn, zeroLsn } from '../ground/lsn.ts';
import { startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';
import type { Source } from '../replication/source.ts';
import type { RequestedCheckpoint, WriteCheckpointStore } from '../storage/storage.ts';
import { type Crowds, createCrowds } from './cohorts/crowds.ts';
import type { Feed } from './feed.ts';

export interface WriteCheckpointFeed {
  /** Creates a number. Returns undefined if there is no higher number. */
  create(key: string): Promise<bigint | undefined>;
  /** Stores a number that the client chose. Returns the greater one of it and the stored number. */
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

/** The positions of the source. A process without a source can create no numbers. */
export type Positions = Pick<Source, 'position' | 'mark'>;

interface WriteCheckpointDeps {
  readonly store: WriteCheckpointStore;
  readonly source: () => Promise<Positions>;
  readonly feed: Pick<Feed, 'watch'>;
  readonly clock: Clock;
}

/** The part of an audience that the feed knows. */
interface ListenersById {
  readonly ids: Crowds<object>['keys'];
  /** All who watch it, or only those who do not know this number. */
  readonly tell: (id: string, number?: bigint) => void;
}

/**
 * Milliseconds until it is asked, after the position moved, which numbers other processes have stored; or, where nobody can
 * say that, until the numbers of all who wait are read again.
 */
const recheckAfter = 1_000;
/** Milliseconds after which those of all are read again all the same: a process of a former version does not say all. */
const readAllAfter = 30_000;

export function openWriteCheckpointFeed({
  store,
  source,
  feed,
  clock,
}: WriteCheckpointDeps): WriteCheckpointFeed {
  const idOf = store.idOf ?? ((key: string) => key);
  const audiences: ListenersById[] = [];
  /** The positions that are not reached yet, by id: of this process, and of others that have announced them. */
  const pending = new Map<string, Lsn>();
  /** Asked for too early, and reached meanwhile, or in another deployment only. */
  const late = new Set<string>();
  let readAllAt = 0;
  let isRechecking = false;
  /** The farthest position of all deployments. A number that is reached only in another one is looked at again until it is reached. */
  let farthest = zeroLsn;

  const tell = (id: string, number?: bigint): void => {
    for (const each of audiences) each.tell(id, number);
  };
  const openAudience = <T extends object>({ tell, known }: AudienceRules<T>): Audience<T> => {
    const crowds = createCrowds<T>();
    audiences.push({
      ids: crowds.keys,
      tell: (id, number) => {
        for (const one of crowds.of(id)) if (number === undefined || (known(one) ?? 0n) < number) tell(one);
      },
    });
    return {
      add: (key, one) => crowds.add(idOf(key), one),
      delete: (key, one) => crowds.delete(idOf(key), one),
    };
  };
  const listeners = openAudience<{ readonly call: () => void }>({
    tell: ({ call }) => call(),
    known: () => undefined,
  });
  const readAll = async (): Promise<void> => {
    readAllAt = clock.steady() + readAllAfter;
    const ids = [...new Set(audiences.flatMap((each) => [...each.ids.keys()]))];
    try {
      for (const [id, number] of await store.reachedAmong(ids, farthest)) tell(id, number);
    } catch {
      // Each of them meets the failure when it looks for itself, and says so.
      for (const id of ids) tell(id);
    }
  };
  const recheck = async (): Promise<void> => {
    const overdue = [...late];
    late.clear();
    for (const id of overdue) tell(id);
    const news = await store.news?.().catch(() => undefined);
    if (news === undefined || clock.steady() >= readAllAt) await readAll();
    for (const { id, number, lsn } of news ?? []) {
      if (lsn <= farthest) tell(id, number);
      // Later clients look for themselves.
      else if (audiences.some((each) => each.ids.has(id))) pending.set(id, lsn);
    }
  };
  const recheckLater = async (): Promise<void> => {
    if (isRechecking) return;
    isRechecking = true;
    await clock.sleep(recheckAfter);
    isRechecking = false;
    await recheck();
  };
  feed.watch(({ checkpoint }) => {
    if (checkpoint.lsn > farthest) farthest = checkpoint.lsn;
    for (const [id, lsn] of pending) {
      if (lsn > checkpoint.lsn) continue;
      pending.delete(id);
      tell(id);
    }
    startAlone('Looking for write checkpoints', recheckLater);
  });
  store.watch?.((key, lsn) => {
    if (lsn <= farthest) tell(idOf(key));
    else pending.set(idOf(key), lsn);
  });
  store.watchAwaited?.((id, lsn) => {
    if (lsn > farthest) pending.set(id, lsn);
    else {
      late.add(id);
      startAlone('Looking for write checkpoints', recheckLater);
    }
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
        pending.set(idOf(key), lsn);
        return true;
      });
      return id;
    },
    request: async (key, id) => {
      let stored: RequestedCheckpoint = { id, needsMark: false };
      await inBatch(async (lsn) => {
        stored = await store.request(key, id, lsn, clock.now());
        pending.set(idOf(key), lsn);
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
