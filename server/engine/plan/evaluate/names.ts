/**
 * The names under which the parts of a config are stored. At first they are made of the names and places in its text;
 * another text of the same parts keeps them, wherever it has these parts.
 */
import { meaningOfSource } from '../meaning.ts';
import type { StreamPlan } from '../plan.ts';

/** The names of the sources and lookups of each stream, in the order of its plan, by the name of the stream. */
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
  /** Before the numbers of lookups, where those of another text have the plain ones. */
  readonly lookupPrefix?: string;
  /** Absent: its parts have no others than those that its text gives them. */
  readonly names?: KeptNames;
  /** Names of lookups that another evaluator has, by what identifies them: rows make no entries for these here. */
  readonly knownLookups?: ReadonlyMap<string, string>;
}

/** Equal sources and lookups of several streams are kept once, under the name of the first. */
export function nameParts(
  plans: readonly StreamPlan[],
  { version, lookupPrefix = '', names, knownLookups }: Naming,
): readonly NamedPlan[] {
  const prefix = version === undefined ? '' : `${version}#`;
  // The mark of a part that has no stored name although others have: nothing else may be stored under the name that it gets.
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
      remember(lookups, identity, kept?.lookups[index] ?? `${lookupPrefix}${lookups.size}${mark}`),
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

/** Parts of one text or of several, as they are stored. */
export interface StoredParts {
  /** The plans in the order in which rows are put into their buckets. */
  readonly plans: readonly NamedPlan[];
  /** The names of all stored parts of these plans. The names of sources contain a `#`, those of lookups do not. */
  readonly names: ReadonlySet<string>;
}

/** All parts of plans. */
export function allParts(plans: readonly NamedPlan[]): StoredParts {
  return { plans, names: new Set(plans.flatMap((plan) => [...plan.sourceNames, ...plan.lookupNames])) };
}

/** Returns only the parts with these names. */
export function onlyParts(plans: readonly NamedPlan[], names: ReadonlySet<string>): StoredParts {
  const only = plans.map((named) => ({
    ...named,
    ownSources: named.ownSources.map((isOwn, index) => isOwn && names.has(named.sourceNames[index] ?? '')),
    ownLookups: named.ownLookups.map((isOwn, index) => isOwn && names.has(named.lookupNames[index] ?? '')),
  }));
  const own = only.flatMap((plan) => [
    ...plan.sourceNames.filter((_, index) => plan.ownSources[index]),
    ...plan.lookupNames.filter((_, index) => plan.ownLookups[index]),
  ]);
  return { plans: only, names: new Set(own) };
}

export function joinParts(all: readonly StoredParts[]): StoredParts {
  return {
    plans: all.flatMap(({ plans }) => plans),
    names: new Set(all.flatMap(({ names }) => [...names])),
  };
}

/** Returns the plans with only the parts that they store themselves, without the parts that they share with another plan. */
export function ownPlans({ plans }: StoredParts): readonly StreamPlan[] {
  return plans.map(({ plan, ownSources, ownLookups }) => ({
    ...plan,
    sources: plan.sources.filter((_, index) => ownSources[index]),
    lookups: plan.lookups.filter((_, index) => ownLookups[index]),
  }));
}

/** Under which names the parts of other plans are stored already. Undefined if one of them is not. */
export function keepNames(before: StoredParts, plans: readonly StreamPlan[]): KeptNames | undefined {
  const kept: Record<string, PartNames> = Object.create(null);
  for (const { plan, sources, lookups } of findParts(before, plans)) {
    if (!areKnown(sources) || !areKnown(lookups)) return undefined;
    kept[plan.name] = { sources, lookups };
  }
  return kept;
}

interface AddedParts {
  /** The parts that are not stored yet. */
  readonly added: StoredParts;
  /** The names of the parts that are stored already. */
  readonly kept: ReadonlySet<string>;
}

/** Returns the parts to store for further plans, which have names of their own. */
export function addParts(before: StoredParts, plans: readonly NamedPlan[]): AddedParts {
  const added = new Set<string>();
  const kept = new Set<string>();
  const found = findParts(
    before,
    plans.map(({ plan }) => plan),
  );
  const sort = (names: readonly (string | undefined)[], own: readonly string[]) => {
    for (const [index, name] of names.entries())
      if (name === undefined) added.add(own[index] as string);
      else kept.add(name);
  };
  for (const [index, { sourceNames, lookupNames }] of plans.entries()) {
    sort(found[index]?.sources ?? [], sourceNames);
    sort(found[index]?.lookups ?? [], lookupNames);
  }
  return { added: onlyParts(plans, added), kept };
}

interface FoundParts {
  readonly plan: StreamPlan;
  /** Undefined for a source that is not stored. */
  readonly sources: readonly (string | undefined)[];
  readonly lookups: readonly (string | undefined)[];
}

function findParts({ plans: before, names }: StoredParts, plans: readonly StreamPlan[]): FoundParts[] {
  const sources = openTaking(
    before.flatMap(({ plan, sourceNames }) =>
      plan.sources.flatMap((source, index) => {
        const name = sourceNames[index] as string;
        return names.has(name) ? [{ meaning: meaningOfSource(source), stream: plan.name, name }] : [];
      }),
    ),
  );
  const lookups = new Map(
    before.flatMap(({ plan, lookupNames }) =>
      plan.lookups.flatMap(({ identity }, index) => {
        const name = lookupNames[index] as string;
        return names.has(name) ? [[identity, name] as const] : [];
      }),
    ),
  );
  return plans.map((plan) => ({
    plan,
    sources: plan.sources.map((source) => sources.take(source.identity, meaningOfSource(source), plan.name)),
    lookups: plan.lookups.map(({ identity }) => lookups.get(identity)),
  }));
}

interface StoredSource {
  readonly meaning: string;
  readonly stream: string;
  readonly name: string;
}

/**
 * Opens an assignment of stored names to sources. One name belongs to one source, because two sources with the same meaning
 * would each fill its buckets.
 */
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

/** Whether a bucket, or the key of a lookup, belongs to one of these parts. */
export function belongsTo({ names }: Pick<StoredParts, 'names'>): (key: string) => boolean {
  // A name that hides where the keys begin allows no conclusion: see `isAddable`.
  if (!isAddable(names)) return () => true;
  return (key) => names.has(key.slice(0, key.indexOf('[')));
}

/** Whether parts can be told from others by the keys of their rows alone, so that parts can be added and taken away. */
export function isAddable(names: Iterable<string>): boolean {
  for (const name of names) if (name.includes('[')) return false;
  return true;
}
