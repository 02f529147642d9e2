/** The news for a client: the events since its last evaluation that concern it. */
import type { Notice } from '../storage/storage.ts';
import type { Feed, ServedRevision } from './feed.ts';
import type { WriteCheckpointFeed } from './writeCheckpoints.ts';

export interface News {
  /** Whether the config must be evaluated again. */
  readonly lookups: boolean;
  /** The buckets whose checksums must be read again; `all` if it is unknown which ones. */
  readonly buckets: ReadonlySet<string> | 'all';
  readonly writeCheckpoint: boolean;
}

export interface Interests {
  readonly buckets: Pick<ReadonlyMap<string, unknown>, 'has' | 'keys' | 'size'>;
  readonly lookups: ReadonlySet<string>;
}

interface Concern {
  /**
   * Returns the news since the last call. From now on, all notices are kept, because it is not known yet which ones concern the
   * client.
   */
  take(): News;
  /** Keeps only the events that concern these interests, including the events since {@link take}. */
  follow(interests: Interests): void;
  readonly hasNews: boolean;
  /** Resolves when there is news, or any notice at all, or when the signal is aborted. */
  wait(until: 'news' | 'any notice', signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** The known state: the news and the interests of the client. */
interface KnownConcern {
  readonly news: News;
  readonly interests: Interests;
}

interface ConcernOf {
  readonly served: ServedRevision;
  readonly writeCheckpointKey: string;
  /** Called when another deployment, or another revision of this one, is active. */
  readonly onSwitched: () => void;
}

/**
 * The maximum number of notices that are kept while a client is being evaluated. If there are more, everything may have changed.
 */
const mostKept = 100;

export function openConcern(
  feed: Pick<Feed, 'watch' | 'isOutdated'>,
  writeCheckpoints: Pick<WriteCheckpointFeed, 'watch'>,
  { served, writeCheckpointKey, onSwitched }: ConcernOf,
  known?: KnownConcern,
): Concern {
  let interests = known?.interests;
  let kept: Notice[] = [];
  let sawAny = false;
  let lookups = known?.news.lookups ?? false;
  let writeCheckpoint = known?.news.writeCheckpoint ?? false;
  let buckets: Set<string> | 'all' =
    known?.news.buckets === 'all' ? 'all' : new Set(known?.news.buckets ?? []);
  let wake = (): void => {};

  const hasNews = () => lookups || writeCheckpoint || buckets === 'all' || buckets.size > 0;
  const loseTrack = (): void => {
    lookups = true;
    writeCheckpoint = true;
    buckets = 'all';
  };
  const consider = (of: Interests, { changed }: Notice): void => {
    if (changed === undefined) loseTrack();
    else if (shares(of.lookups, changed.lookups)) lookups = true;
    if (changed === undefined || buckets === 'all') return;
    for (const bucket of sharedKeys(of.buckets, changed.buckets)) buckets.add(bucket);
  };
  const stops = [
    feed.watch((notice) => {
      if (replaces(notice, served)) onSwitched();
      if (notice.deployment !== served.deployment) return;
      sawAny = true;
      if (interests !== undefined) consider(interests, notice);
      else if (kept.length < mostKept) kept.push(notice);
      else loseTrack();
      wake();
    }),
    writeCheckpoints.watch(writeCheckpointKey, () => {
      writeCheckpoint = true;
      wake();
    }),
  ];

  // The switch may have happened between the client's first answer and this call.
  if (feed.isOutdated(served)) onSwitched();

  return {
    take: () => {
      const news: News = { lookups, buckets, writeCheckpoint };
      lookups = writeCheckpoint = sawAny = false;
      buckets = new Set();
      kept = [];
      interests = undefined;
      return news;
    },
    follow: (next) => {
      interests = next;
      for (const notice of kept) consider(next, notice);
      kept = [];
    },
    get hasNews() {
      return hasNews();
    },
    wait: (until, signal) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!signal.aborted && !hasNews() && !(until === 'any notice' && sawAny)) return;
          wake = () => {};
          signal.removeEventListener('abort', look);
          resolve();
        };
        wake = look;
        signal.addEventListener('abort', look);
        look();
      }),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/** Whether the notice reports that another revision is active. */
export function replaces({ deployment, activated }: Notice, served: ServedRevision): boolean {
  return (
    activated !== undefined && (deployment !== served.deployment || activated.revision > served.revision)
  );
}

function shares(ours: ReadonlySet<string>, changed: ReadonlySet<string>): boolean {
  for (const _ of sharedKeys(ours, changed)) return true;
  return false;
}

export function* sharedKeys(ours: Interests['buckets'], changed: ReadonlySet<string>): Iterable<string> {
  const [few, many] = ours.size < changed.size ? [ours, changed] : [changed, ours];
  for (const each of few.keys()) if (many.has(each)) yield each;
}
