/**
 * The deployed configs, as one list for viewing them, comparing them and deploying them again.
 *
 * 1. The list has each config once, newest first.
 * 2. Our service lists its configs itself. The editor remembers the configs that it has seen, for other services and for a storage
 *    that no longer exists.
 * 3. A config that is remembered keeps its name and its content. If the numbers of a service begin again, the earlier configs
 *    remain.
 */
import type { Diagnosis } from '../api/answers.ts';
import type { Api } from '../api/api.ts';
import { type NamedConfig, namesOf, type SentConfig, storageOfSlot } from '../api/deployedConfig.ts';
import { present } from '../api/reading.ts';
import type { ConfigState, ReportedConfig } from '../api/reports/deployedConfigs.ts';

/** A deployed config that this editor has seen. */
export interface SeenConfig extends NamedConfig {
  readonly content: string;
  /** The time when the config was first seen, in milliseconds since 1970. */
  readonly seenAt: number;
  /** The time of the deploy, if the service reports it. */
  readonly deployedAt?: number;
  /** Whether it was deployed from here. */
  readonly isOwn?: true;
}

/** A config to find. */
type WantedConfig = NamedConfig & Partial<Pick<SeenConfig, 'seenAt'>>;

export interface History {
  of(target: string): readonly SeenConfig[];
  contentOf(target: string, wanted: WantedConfig): string | undefined;
  /** Whether the content of a deployment since its last deploy is known. */
  knows(target: string, deployed: NamedConfig & Pick<SeenConfig, 'deployedAt'>): boolean;
  remember(target: string, seen: SeenConfig): Promise<void>;
  /** Returns the config that was deployed last from here. */
  ownContent(target: string): string | undefined;
  own(target: string, content: string): Promise<void>;
}

/** The storage that keeps the history across sessions. */
interface HistoryStore {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** A deployed config in the list. */
export interface ListedConfig extends SeenConfig {
  readonly state: ConfigState;
  /** The time of the deploy if the service reports it, otherwise the time when it was first seen. In milliseconds since 1970. */
  readonly at: number;
  /** The user who deployed it, as the client named them. Absent if this is unknown. */
  readonly deployedBy?: string;
  /** Whether clients have ever received its rows. Absent if this is unknown. */
  readonly hasServed?: boolean;
  /** Whether the service no longer has the storage of that time, so that its numbers have begun again. */
  readonly isOfEarlierStorage: boolean;
}

interface TargetHistory {
  readonly history: History;
  /** The id of the target. */
  readonly target: string;
}

/** Asks a service for its deployed configs, and returns each once, newest first. */
export async function askConfigs(
  api: Pick<Api, 'diagnose' | 'deployedConfigs'>,
  { history, target }: TargetHistory,
  signal?: AbortSignal,
): Promise<readonly ListedConfig[]> {
  const diagnosis = await api.diagnose({ content: true }, signal);
  await rememberContents(diagnosis, { history, target });
  const reported = await api.deployedConfigs(signal);
  return listConfigs({ seen: history.of(target), reported, diagnosis });
}

/** Returns the list as far as the service knows it. */
export async function listOnService(
  api: Pick<Api, 'diagnose' | 'deployedConfigs'>,
  signal: AbortSignal,
): Promise<readonly ListedConfig[]> {
  const [diagnosis, reported] = await Promise.all([
    api.diagnose({ content: true }, signal),
    api.deployedConfigs(signal),
  ]);
  return listConfigs({ seen: seenIn(diagnosis), reported, diagnosis });
}

/** Returns the configs in an answer: the only ones that are known for a service without a list. */
export function seenIn({ active, pending, at: seenAt }: Diagnosis): readonly SeenConfig[] {
  return [pending, active].flatMap((deployed) => {
    if (deployed?.content === undefined) return [];
    const { slot, configNumber, content, deployedAt } = deployed;
    return [present({ slot, configNumber, content, deployedAt, seenAt })];
  });
}

/** Remembers the configs in a diagnosis, if it contains them. */
export async function rememberContents(
  diagnosis: Diagnosis,
  { history, target }: TargetHistory,
): Promise<void> {
  for (const seen of seenIn(diagnosis).toReversed()) await history.remember(target, seen);
}

/** Remembers a config that is deployed from here. */
export async function rememberOwn(
  { sent, content, at: seenAt }: { readonly sent: SentConfig; readonly content: string; readonly at: number },
  { history, target }: TargetHistory,
): Promise<void> {
  await history.remember(target, { ...namesOf(sent), content, seenAt, isOwn: true });
  await history.own(target, content);
}

interface ListParts {
  readonly seen: readonly SeenConfig[];
  /** The configs that the service lists, newest first. Absent if it lists none. */
  readonly reported: readonly ReportedConfig[] | undefined;
  readonly diagnosis: Pick<Diagnosis, 'active' | 'pending'>;
}

/** Returns each deployed config once, newest first. */
export function listConfigs({ seen, reported, diagnosis }: ListParts): readonly ListedConfig[] {
  if (reported === undefined) return listSeen(seen, diagnosis);
  const storages = new Set(reported.map(({ slot }) => storageOfSlot(slot)));
  const earlier = seen.filter(({ slot }) => !storages.has(storageOfSlot(slot)));
  return [
    ...reported.map((config): ListedConfig => {
      const { isOwn, seenAt = config.deployedAt } = findIn(seen, config) ?? {};
      return { ...config, at: config.deployedAt, seenAt, isOfEarlierStorage: false, ...(isOwn && { isOwn }) };
    }),
    ...newestFirst(earlier).map((config) => toListed(config, { state: 'earlier', isOfEarlierStorage: true })),
  ];
}

function listSeen(
  seen: readonly SeenConfig[],
  { active, pending }: ListParts['diagnosis'],
): readonly ListedConfig[] {
  const [nowActive, nowPending] = [active, pending].map((each) => each && findIn(seen, each));
  let least = Number.POSITIVE_INFINITY;
  return newestFirst(seen).map((config) => {
    const { configNumber: number } = config;
    // A later config has this number or a smaller one, so the numbers have begun again.
    const isOfEarlierStorage = number !== undefined && number >= least;
    least = Math.min(least, number ?? least);
    const state = config === nowActive ? 'active' : config === nowPending ? 'pending' : 'earlier';
    return toListed(config, { state, isOfEarlierStorage });
  });
}

function toListed(
  config: SeenConfig,
  facts: Pick<ListedConfig, 'state' | 'isOfEarlierStorage'>,
): ListedConfig {
  return { ...config, ...facts, at: timeOf(config) };
}

function newestFirst(seen: readonly SeenConfig[]): readonly SeenConfig[] {
  return seen.toSorted(
    (one, other) => timeOf(other) - timeOf(one) || (other.configNumber ?? 0) - (one.configNumber ?? 0),
  );
}

function timeOf({ deployedAt, seenAt }: SeenConfig): number {
  return deployedAt ?? seenAt;
}

const mostKept = 20;

export function openHistory(memory: HistoryStore): History {
  const keyOf = (target: string) => `deployed:${target}`;
  const ownKeyOf = (target: string) => `deployed.ownContent:${target}`;
  const of = (target: string) => memory.get<readonly SeenConfig[]>(keyOf(target)) ?? [];
  return {
    of,
    contentOf: (target, wanted) => findIn(of(target), wanted)?.content,
    knows: (target, { deployedAt, ...wanted }) => {
      const found = findIn(of(target), wanted);
      return found !== undefined && found.deployedAt === deployedAt;
    },
    ownContent: (target) => memory.get<string>(ownKeyOf(target)),
    own: async (target, content) => memory.update(ownKeyOf(target), content),
    async remember(target, seen) {
      const known = of(target);
      const { seenAt: _, ...wanted } = seen;
      const before = findIn(known, wanted);
      if (before === undefined || !isSameDeploy(before, seen))
        return memory.update(keyOf(target), [seen, ...known].slice(0, mostKept));
      // The config was seen earlier, before the service had reported everything about it.
      const next = { ...before, ...present(seen), seenAt: before.seenAt };
      if (JSON.stringify(next) === JSON.stringify(before)) return;
      await memory.update(
        keyOf(target),
        known.map((each) => (each === before ? next : each)),
      );
    },
  };
}

/** Returns the config with this number in the same storage. Without a number, returns the latest config of the slot. */
function findIn(
  seen: readonly SeenConfig[],
  { slot, configNumber, seenAt }: WantedConfig,
): SeenConfig | undefined {
  return seen.find((each) =>
    configNumber === undefined
      ? each.slot === slot && (seenAt === undefined || each.seenAt === seenAt)
      : each.configNumber === configNumber && storageOfSlot(each.slot) === storageOfSlot(slot),
  );
}

function isSameDeploy(one: SeenConfig, other: SeenConfig): boolean {
  const isSameTime =
    one.deployedAt === other.deployedAt || one.deployedAt === undefined || other.deployedAt === undefined;
  return one.content === other.content && isSameTime;
}
