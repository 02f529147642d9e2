/**
 * Write checkpoints: numbers by which a client sees that its own uploads have come back. A number is reached at the position that
 * the source had when the number was requested, because everything that was committed before the request precedes that position.
 */
import { firstPosition, type LogPosition } from '../ground/logPosition.ts';
import { startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';
import type { Source } from '../replication/source.ts';
import type { RequestedCheckpoint, WriteCheckpointStore } from '../storage/storage.ts';
import { type Crowds, createCrowds } from './cohorts/crowds.ts';
import type { Feed } from './feed.ts';

export interface WriteCheckpointFeed {
  /** Creates a number. Returns undefined if there is no higher number. */
  create(key: string): Promise<bigint | undefined>;
  /** Stores a number that the client chose. Returns this number or the stored one, whichever is greater. */
  request(key: string, id: bigint): Promise<bigint>;
  reached(key: string, position: LogPosition): Promise<bigint | undefined>;
  /** Adds a listener, which is called when {@link reached} may return more than before. */
  watch(key: string, listener: () => void): () => void;
  /** Does the same for very many listeners, which do not need a function each. */
  audience<T extends object>(rules: AudienceRules<T>): Audience<T>;
}

interface AudienceRules<T> {
  readonly tell: (one: T) => void;
  /** Returns the number that the listener knows already. Undefined: none, or unknown. */
  readonly known: (one: T) => bigint | undefined;
}

export interface Audience<T> {
  add(key: string, one: T): void;
  delete(key: string, one: T): void;
}

/** The positions of the source. A process without a source cannot create numbers. */
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
  /** Notifies all listeners of an id, or only those that do not know this number. */
  readonly tell: (id: string, number?: bigint) => void;
}

/**
 * The delay in milliseconds between a change of the position and a check. The check asks which numbers other processes have
 * stored. If the storage cannot answer that, the numbers of all listeners are read again.
 */
const recheckAfter = 1_000;
/**
 * The interval in milliseconds after which the numbers of all listeners are read anyway, because a process of an older version
 * does not announce all of its numbers.
 */
const readAllAfter = 30_000;

export function openWriteCheckpointFeed({
  store,
  source,
  feed,
  clock,
}: WriteCheckpointDeps): WriteCheckpointFeed {
  const idOf = store.idOf ?? ((key: string) => key);
  const audiences: ListenersById[] = [];
  /** The positions that are not reached yet, by id. They come from this process, and from others that have announced them. */
  const pending = new Map<string, LogPosition>();
  /** Ids of clients that asked too early. Their numbers have been reached meanwhile, or only in another deployment. */
  const late = new Set<string>();
  let readAllAt = 0;
  let isRechecking = false;
  /**
   * The farthest position of all deployments. A number that is reached only in another deployment is checked again until it is
   * reached in its own.
   */
  let farthest = firstPosition;

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
      // Each listener encounters the failure when it reads its own number, and reports it.
      for (const id of ids) tell(id);
    }
  };
  const recheck = async (): Promise<void> => {
    const overdue = [...late];
    late.clear();
    for (const id of overdue) tell(id);
    const news = await store.news?.().catch(() => undefined);
    if (news === undefined || clock.steady() >= readAllAt) await readAll();
    for (const { id, number, position } of news ?? []) {
      if (position <= farthest) tell(id, number);
      // Numbers without a listener are skipped, because clients that connect later read their numbers themselves.
      else if (audiences.some((each) => each.ids.has(id))) pending.set(id, position);
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
    if (checkpoint.position > farthest) farthest = checkpoint.position;
    for (const [id, position] of pending) {
      if (position > checkpoint.position) continue;
      pending.delete(id);
      tell(id);
    }
    startAlone('Looking for write checkpoints', recheckLater);
  });
  store.watch?.((key, position) => {
    if (position <= farthest) tell(idOf(key));
    else pending.set(idOf(key), position);
  });
  store.watchAwaited?.((id, position) => {
    if (position > farthest) pending.set(id, position);
    else {
      late.add(id);
      startAlone('Looking for write checkpoints', recheckLater);
    }
  });

  const inBatch = inBatches(async (store: readonly ((position: LogPosition) => Promise<boolean>)[]) => {
    const positions = await source();
    const position = await positions.position();
    const marks = await Promise.all(store.map((each) => each(position)));
    if (marks.includes(true)) await positions.mark();
  });

  return {
    create: async (key) => {
      let id: bigint | undefined;
      await inBatch(async (position) => {
        id = await store.create(key, position);
        if (id === undefined) return false;
        pending.set(idOf(key), position);
        return true;
      });
      return id;
    },
    request: async (key, id) => {
      let stored: RequestedCheckpoint = { id, needsMark: false };
      await inBatch(async (position) => {
        stored = await store.request(key, id, position, clock.now());
        pending.set(idOf(key), position);
        return stored.needsMark;
      });
      return stored.id;
    },
    reached: (key, position) => store.reached(key, position),
    watch: (key, call) => {
      const listener = { call };
      listeners.add(key, listener);
      return () => listeners.delete(key, listener);
    },
    audience: openAudience,
  };
}

/** Runs consecutive batches. Items that arrive during a run are collected for the next one. */
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
