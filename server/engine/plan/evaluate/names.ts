/**
 * The names under which the parts of a config are stored. At first they are made of the names and places in its text;
 * another text of the same parts keeps them, wherever it has these parts.
 */
import { meaningOfSource } from '../meaning.ts';
import type { StreamPlan } from '../plan.ts';

/** By the name of the stream; of its sources and of its lookups, in the order of its plan. */
export type KeptNames = Readonly<Record<string, PartNames>>;

interface PartNames {
  readonly sources: readonly string[];
  readonly lookups: readonly string[];
}

/** A plan with the names under which its sources and lookups are kept. */
export interface NamedPlan {
  readonly plan: StreamPlan;
  readonly sourceNames: readonly string[];
  readonly lookupNames: readonly string[];
  /** A source that another stream has, too, is evaluated only for the first of them. */
  readonly ownSources: readonly boolean[];
  readonly ownLookups: readonly boolean[];
}

export interface Naming {
  /** Keeps the buckets of a new config apart from those of an old one. Absent: no prefix. */
  readonly version?: string;
  /** Absent: its parts have no others than those that its text gives them. */
  readonly names?: KeptNames;
  /** Names of lookups that another evaluator has, by what identifies them: rows make no entries for these here. */
  readonly knownLookups?: ReadonlyMap<string, string>;
}

/** Equal sources and lookups of several streams are kept once, under the name of the first. */
export function nameParts(
  plans: readonly StreamPlan[],
  { version, names, knownLookups }: Naming,
): readonly NamedPlan[] {
  const prefix = version === undefined ? '' : `${version}#`;
  // What has no name although others have: nothing else may be stored under the one that it gets.
  const mark = knownLookups !== undefined ? '?' : names === undefined ? '' : '~';
  const sources = new Map<string, string>();
  const lookups = new Map(knownLookups);
  return plans.map((plan) => {
    const kept = names && Object.hasOwn(names, plan.name) ? names[plan.name] : undefined;
    const ownSources = plan.sources.map(({ identity }) => !sources.has(identity));
    const sourceNames = plan.sources.map(({ identity, number }, index) => {
      const written = plan.isDefinition ? plan.name : `${plan.name}|${number}`;
      return remember(sources, identity, kept?.sources[index] ?? `${prefix}${written}${mark}`);
    });
    const ownLookups = plan.lookups.map(({ identity }) => !lookups.has(identity));
    const lookupNames = plan.lookups.map(({ identity }, index) =>
      remember(lookups, identity, kept?.lookups[index] ?? `${lookups.size}${mark}`),
    );
    return { plan, sourceNames, lookupNames, ownSources, ownLookups };
  });
}

function remember(names: Map<string, string>, identity: string, name: string): string {
  const known = names.get(identity);
  if (known !== undefined) return known;
  names.set(identity, name);
  return name;
}

/** Under which names the parts of other plans are stored already. Undefined if one of them is not. */
export function keepNames(before: readonly NamedPlan[], plans: readonly StreamPlan[]): KeptNames | undefined {
  const sources = openTaking(
    before.flatMap(({ plan, sourceNames }) =>
      plan.sources.map((source, index) => ({
        meaning: meaningOfSource(source),
        stream: plan.name,
        name: sourceNames[index] as string,
      })),
    ),
  );
  const lookups = new Map(
    before.flatMap(({ plan, lookupNames }) =>
      plan.lookups.map(({ identity }, index) => [identity, lookupNames[index] as string] as const),
    ),
  );
  const kept: Record<string, PartNames> = Object.create(null);
  for (const plan of plans) {
    const own = plan.sources.map((source) =>
      sources.take(source.identity, meaningOfSource(source), plan.name),
    );
    const found = plan.lookups.map(({ identity }) => lookups.get(identity));
    if (!areKnown(own) || !areKnown(found)) return undefined;
    kept[plan.name] = { sources: own, lookups: found };
  }
  return kept;
}

interface StoredSource {
  readonly meaning: string;
  readonly stream: string;
  readonly name: string;
}

/** What is stored under one name stands for one source: two that only mean the same would each fill its buckets. */
function openTaking(stored: readonly StoredSource[]) {
  const taken = new Map<string, string>();
  const holders = new Map<string, string>();
  return {
    take: (identity: string, meaning: string, stream: string): string | undefined => {
      const known = taken.get(identity);
      if (known !== undefined) return known;
      const free = stored.filter((each) => each.meaning === meaning && !holders.has(each.name));
      const found = (free.find((each) => each.stream === stream) ?? free[0])?.name;
      if (found === undefined) return undefined;
      taken.set(identity, found);
      holders.set(found, identity);
      return found;
    },
  };
}

function areKnown(names: readonly (string | undefined)[]): names is readonly string[] {
  return names.every((name) => name !== undefined);
}
