/** Compares the states that clients have shown with the transactions that the source has committed. */
import { createHash } from 'node:crypto';
import type { History } from './history.ts';
import { expectedFor, markShown } from './scenario.ts';

/** A client's tables at a completed checkpoint: `table/id` → row as text. */
export interface Observation {
  readonly client: string;
  readonly user: string;
  /** The value of the row in `version`; undefined if the client does not have that row. */
  readonly version: number | undefined;
  /** The mark in the notes that the client shows. */
  readonly mark: string | undefined;
  readonly digest: string;
  /** The rows that the client shows. Undefined for old observations, because there are many. */
  rows: ReadonlyMap<string, string> | undefined;
}

export interface Observations {
  readonly all: readonly Observation[];
  /** The latest version that a client has shown. */
  readonly latest: number;
  add(
    seen: Omit<Observation, 'digest' | 'mark' | 'rows'> & { readonly rows: ReadonlyMap<string, string> },
  ): void;
}

/** The number of latest observations that keep their rows, so that a violation can be reported in detail. */
const detailed = 2000;

export function openObservations(): Observations {
  const all: Observation[] = [];
  let latest = 0;
  return {
    all,
    get latest() {
      return latest;
    },
    add(seen) {
      latest = Math.max(latest, seen.version ?? 0);
      all.push({ ...seen, mark: markShown(seen.rows), digest: digestOf(seen.rows) });
      const old = all.at(-detailed);
      if (all.length > detailed && old !== undefined) old.rows = undefined;
    },
  };
}

function digestOf(rows: ReadonlyMap<string, string>): string {
  const hash = createHash('sha1');
  for (const key of [...rows.keys()].sort()) hash.update(`${key}=${rows.get(key)}\n`);
  return hash.digest('base64');
}

/** Returns a sentence for each violation. */
export function violationsIn(history: History, observations: readonly Observation[]): readonly string[] {
  return [...backwards(observations), ...strays(history, observations)];
}

function backwards(observations: readonly Observation[]): readonly string[] {
  const latest = new Map<string, number>();
  return observations.flatMap(({ client, version }) => {
    const before = latest.get(client) ?? 0;
    if (version === undefined)
      return latest.has(client) ? [`${client} lost everything after version ${before}.`] : [];
    latest.set(client, Math.max(before, version));
    return version < before ? [`${client} went back from version ${before} to ${version}.`] : [];
  });
}

function strays(history: History, observations: readonly Observation[]): readonly string[] {
  const byVersion = grouped(observations);
  const found: string[] = [];
  for (const { version, state } of history.states()) {
    const expected = new Map<string, Expectation>();
    for (const observation of byVersion.get(version) ?? []) {
      const { client, user, mark, rows, digest } = observation;
      const view = `${user} ${mark}`;
      const wanted = expected.get(view) ?? toExpected(expectedFor(user, version, state, mark));
      expected.set(view, wanted);
      if (digest === nothing || digest === wanted.digest) continue;
      found.push(...differences(`${client} at version ${version}`, wanted.rows, rows));
    }
    byVersion.delete(version);
  }
  for (const version of byVersion.keys())
    found.push(`A client shows version ${version}, which was never committed.`);
  return found;
}

interface Expectation {
  readonly rows: ReadonlyMap<string, string>;
  readonly digest: string;
}

/** The digest of a client that has not completed any checkpoint and shows nothing. */
const nothing = digestOf(new Map());

function toExpected(rows: ReadonlyMap<string, string>): Expectation {
  return { rows, digest: digestOf(rows) };
}

function grouped(observations: readonly Observation[]): Map<number, Observation[]> {
  const groups = new Map<number, Observation[]>();
  for (const observation of observations) {
    const version = observation.version ?? 0;
    const group = groups.get(version) ?? [];
    groups.set(version, group);
    group.push(observation);
  }
  return groups;
}

function differences(
  where: string,
  wanted: ReadonlyMap<string, string>,
  rows: ReadonlyMap<string, string> | undefined,
): readonly string[] {
  if (rows === undefined) return [`${where} shows another state.`];
  const missing = [...wanted.keys()].filter((key) => !rows.has(key));
  const foreign = [...rows.keys()].filter((key) => !wanted.has(key));
  const wrong = [...rows]
    .filter(([key, text]) => wanted.has(key) && wanted.get(key) !== text)
    .map(([key]) => key);
  return Object.entries({
    'does not show': missing,
    'should not show': foreign,
    'shows another state of': wrong,
  })
    .filter(([, keys]) => keys.length > 0)
    .map(([verb, keys]) => {
      const [first = ''] = keys;
      const shown = [`is ${rows.get(first)}`, `not ${wanted.get(first)}`].join(', ');
      return `${where} ${verb} ${keys.length} rows: ${keys.slice(0, 3).join(', ')} (the first ${shown})`;
    });
}
