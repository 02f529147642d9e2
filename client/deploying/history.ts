/** What was seen deployed, by target: the newest first. So one can look at it, and go back to it. */

export interface DeployedConfig {
  readonly slot: string;
  readonly content: string;
  /** Milliseconds since 1970, when it was first seen. */
  readonly seenAt: number;
  /** Likewise, when it was deployed: of services that tell it. */
  readonly deployedAt?: number | undefined;
}

export interface History {
  of(target: string): readonly DeployedConfig[];
  /** The latest content of a slot; or the one that was first seen at that time. */
  contentOf(target: string, slot: string, seenAt?: number): string | undefined;
  /** Whether it is remembered what a slot has since it was deployed last. */
  knows(target: string, deployed: Pick<DeployedConfig, 'slot' | 'deployedAt'>): boolean;
  remember(target: string, seen: DeployedConfig): Promise<void>;
  /** What was deployed last from here. */
  ownContent(target: string): string | undefined;
  own(target: string, content: string): Promise<void>;
}

/** Where it is kept across sessions. */
interface HistoryStore {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
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
