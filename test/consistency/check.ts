/** Holds what clients have seen against what the source has committed. */
import type { History } from './history.ts';
import { expectedFor } from './scenario.ts';

/** A client's tables at a completed checkpoint: `table/id` → row as text. */
export interface Observation {
  readonly client: string;
  readonly user: string;
  /** Of the row in `version`; undefined when the client has none. */
  readonly version: number | undefined;
  readonly rows: ReadonlyMap<string, string>;
}

/** Sentences about what must not be; empty is what is wanted. */
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
    const expected = new Map<string, ReadonlyMap<string, string>>();
    for (const { client, user, rows } of byVersion.get(version) ?? []) {
      const wanted = expected.get(user) ?? expectedFor(user, version, state);
      expected.set(user, wanted);
      if (rows.size > 0) found.push(...differences(`${client} at version ${version}`, wanted, rows));
    }
    byVersion.delete(version);
  }
  for (const version of byVersion.keys())
    found.push(`A client shows version ${version}, which was never committed.`);
  return found;
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
  rows: ReadonlyMap<string, string>,
): readonly string[] {
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
    .map(([verb, keys]) => `${where} ${verb} ${keys.length} rows: ${keys.slice(0, 3).join(', ')}`);
}
