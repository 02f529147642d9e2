/**
 * The deployed configs that this editor has seen, by target and newest first, so that users can view them and deploy them
 * again.
 */

export interface DeployedConfig {
  readonly slot: string;
  /** The name of the deploy, if it differs from the slot. */
  readonly name?: string | undefined;
  readonly content: string;
  /** The time when the config was first seen, in milliseconds since 1970. */
  readonly seenAt: number;
  /** The time of the deploy, if the service reports it. */
  readonly deployedAt?: number | undefined;
}

export interface History {
  of(target: string): readonly DeployedConfig[];
  /** Returns the latest content of a slot, or the content that was first seen at the given time. */
  contentOf(target: string, slot: string, seenAt?: number): string | undefined;
  /** Whether the content of a slot since its last deploy is known. */
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
  /** The time of the deploy if the service reports it, otherwise the time when it was first seen. In milliseconds since 1970. */
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
      // The same text was seen earlier, before the service had reported the time of the deploy.
      const news = isKnown ? [{ ...seen, seenAt: latest.seenAt }] : [seen, ...(latest ? [latest] : [])];
      await memory.update(keyOf(target), [...news, ...others].slice(0, mostKept));
    },
  };
}
