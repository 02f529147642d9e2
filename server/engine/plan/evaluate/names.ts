/**
 * The names under which the parts of a config are stored. At first, they are made from the names and places in the config's text.
 * Another text with the same parts keeps these names, wherever the parts are in it.
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
  /** For each source, whether it is evaluated here. A source that several streams share is evaluated only for the first of them. */
  readonly ownSources: readonly boolean[];
  readonly ownLookups: readonly boolean[];
}

export interface Naming {
  /** A prefix that keeps the buckets of a new config separate from those of an old one. Absent: no prefix. */
  readonly version?: string;
  /** A prefix for the numbers of lookups, for use when another config has the plain numbers. */
  readonly lookupPrefix?: string;
  /** The stored names. Absent: the parts have only the names that their text gives them. */
  readonly names?: KeptNames;
  /** Lookups that another evaluator stores, by identity. Rows create no entries for them here. */
  readonly knownLookups?: ReadonlyMap<string, string>;
}

/** Assigns names. Equal sources and lookups of several streams are stored once, under the name of the first one. */
export function nameParts(
  plans: readonly StreamPlan[],
  { version, lookupPrefix = '', names, knownLookups }: Naming,
): readonly NamedPlan[] {
  const prefix = version === undefined ? '' : `${version}#`;
  // The mark of a part that has no stored name although others have one. Nothing else may be stored under its name.
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

/** The parts of one config or of several, as they are stored. */
export interface StoredParts {
  /** The plans, in the order in which rows are put into their buckets. */
  readonly plans: readonly NamedPlan[];
  /** The names of all stored parts of these plans. Names of sources contain a `#`, and names of lookups do not. */
  readonly names: ReadonlySet<string>;
}

/** Returns all parts of plans. */
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

/** Returns the plans with only the parts that they store themselves, without the parts shared with another plan. */
export function ownPlans({ plans }: StoredParts): readonly StreamPlan[] {
  return plans.map(({ plan, ownSources, ownLookups }) => ({
    ...plan,
    sources: plan.sources.filter((_, index) => ownSources[index]),
    lookups: plan.lookups.filter((_, index) => ownLookups[index]),
  }));
}

/** Returns the names under which all parts of other plans are already stored; undefined if one of the parts is not stored. */
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
  /** The names of the parts that are already stored. */
  readonly kept: ReadonlySet<string>;
}

/** Returns the parts to store for additional plans, which have their own names. */
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
  /** The names of the sources; undefined for a source that is not stored. */
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
 * Starts assigning stored names to sources. Each name belongs to one source, because two sources with the same meaning would
 * otherwise both fill its buckets.
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

/** Returns a function that decides whether a bucket or a lookup key belongs to one of these parts. */
export function belongsTo({ names }: Pick<StoredParts, 'names'>): (key: string) => boolean {
  // A name that hides where the keys begin allows no conclusion. See `isAddable`.
  if (!isAddable(names)) return () => true;
  return (key) => names.has(key.slice(0, key.indexOf('[')));
}

/** Whether parts can be distinguished from others by the keys of their rows alone, so that parts can be added and removed. */
export function isAddable(names: Iterable<string>): boolean {
  for (const name of names) if (name.includes('[')) return false;
  return true;
}
