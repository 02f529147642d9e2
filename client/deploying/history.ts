/** What was seen deployed, by target: the newest first. So one can look at it, and go back to it. */

export interface DeployedConfig {
  readonly slot: string;
  readonly content: string;
  /** Milliseconds since 1970, when it was first seen. */
  readonly seenAt: number;
}

export interface History {
  of(target: string): readonly DeployedConfig[];
  contentOf(target: string, slot: string): string | undefined;
  remember(target: string, seen: DeployedConfig): Promise<void>;
  /** The latest deployment that was made from here. */
  ownSlot(target: string): string | undefined;
  own(target: string, slot: string): Promise<void>;
}

/** Where it is kept across sessions. */
interface HistoryStore {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

const mostKept = 20;

export function openHistory(memory: HistoryStore): History {
  const keyOf = (target: string) => `deployed:${target}`;
  const ownKeyOf = (target: string) => `deployed.own:${target}`;
  const of = (target: string) => memory.get<readonly DeployedConfig[]>(keyOf(target)) ?? [];
  return {
    of,
    contentOf: (target, slot) => of(target).find((seen) => seen.slot === slot)?.content,
    ownSlot: (target) => memory.get<string>(ownKeyOf(target)),
    own: async (target, slot) => memory.update(ownKeyOf(target), slot),
    async remember(target, seen) {
      const known = of(target);
      if (known.some(({ slot, content }) => slot === seen.slot && content === seen.content)) return;
      const others = known.filter(({ slot }) => slot !== seen.slot);
      await memory.update(keyOf(target), [seen, ...others].slice(0, mostKept));
    },
  };
}
