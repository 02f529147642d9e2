/** The configs that were seen deployed, by target, the newest first, for looking at them and for going back. */

export interface DeployedConfig {
  readonly slot: string;
  /** The name of the deploy, if it differs from the slot. */
  readonly name?: string | undefined;
  readonly content: string;
  /** Milliseconds since 1970, when it was first seen. */
  readonly seenAt: number;
  /** The time of the deploy, if the service reports it. */
  readonly deployedAt?: number | undefined;
}

export interface History {
  of(target: string): readonly DeployedConfig[];
  /** The latest content of a slot; or the one that was first seen at that time. */
  contentOf(target: string, slot: string, seenAt?: number): string | undefined;
  /** Whether it is remembered what a slot has since it was deployed last. */
  knows(target: string, deployed: Pick<DeployedConfig, 'slot' | 'deployedAt'>): boolean;
  remember(target: string, seen: DeployedConfig): Promise<void>;
  /** Returns the config that was deployed last from here. */
  ownContent(target: string): string | undefined;
  own(target: string, content: string): Promise<void>;
}

/** The storage that keeps the history across sessions. */
interface HistoryStore {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** A deployed config in a list of versions. */
export interface Version {
  readonly seen: DeployedConfig;
  readonly state: 'active' | 'pending' | 'earlier';
  readonly name: string;
  /** Milliseconds since 1970: the time of the deploy if the service reports it, otherwise when it was first seen. */
  readonly at: number;
}

/** Returns each deployed config once, the newest first. The latest config of a slot has the state of that slot. */
export function versionsOf(
  history: readonly DeployedConfig[],
  slots: { readonly active: string | undefined; readonly pending: string | undefined },
): readonly Version[] {
  const timeOf = ({ deployedAt, seenAt }: DeployedConfig): number => deployedAt ?? seenAt;
  const newestFirst = history.toSorted((one, other) => timeOf(other) - timeOf(one));
  const once = newestFirst.filter(
    (seen, index) =>
      newestFirst.findIndex((each) => each.content === seen.content && timeOf(each) === timeOf(seen)) ===
      index,
  );
  const latestOf = (slot: string | undefined) => once.find((seen) => seen.slot === slot);
  const [active, pending] = [latestOf(slots.active), latestOf(slots.pending)];
  return once.map((seen) => ({
    seen,
    state: seen === active ? 'active' : seen === pending ? 'pending' : 'earlier',
    name: seen.name ?? seen.slot,
    at: timeOf(seen),
  }));
}

const mostKept = 20;

export function openHistory(memory: HistoryStore): History {
  const keyOf = (target: string) => `deployed:${target}`;
  const ownKeyOf = (target: string) => `deployed.ownContent:${target}`;
  const of = (target: string) => memory.get<readonly DeployedConfig[]>(keyOf(target)) ?? [];
  return {
    of,
    contentOf: (target, slot, seenAt) =>
      of(target).find((seen) => seen.slot === slot && (seenAt === undefined || seen.seenAt === seenAt))
        ?.content,
    knows: (target, { slot, deployedAt }) => {
      const latest = of(target).find((seen) => seen.slot === slot);
      return latest !== undefined && latest.deployedAt === deployedAt;
    },
    ownContent: (target) => memory.get<string>(ownKeyOf(target)),
    own: async (target, content) => memory.update(ownKeyOf(target), content),
    async remember(target, seen) {
      const known = of(target);
      const latest = known.find(({ slot }) => slot === seen.slot);
      const isKnown = latest?.content === seen.content;
      if (isKnown && latest.deployedAt === seen.deployedAt) return;
      const others = known.filter((each) => each !== latest);
      // The same text came to be known before it was known when it was deployed.
      const news = isKnown ? [{ ...seen, seenAt: latest.seenAt }] : [seen, ...(latest ? [latest] : [])];
      await memory.update(keyOf(target), [...news, ...others].slice(0, mostKept));
    },
  };
}
