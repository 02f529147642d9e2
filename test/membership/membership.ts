/**
 * Random configs × rows × requests: who gets which rows. Streams are judged by three opinions, older definitions by
 * two, since SQLite has no words for them.
 */
import { type Random, randomFrom } from '../differential/random.ts';
import { referenceOpinion } from '../differential/reference.ts';
import { configOf, type Membership, ourErrors, ourMembership, referenceMembership } from './engines.ts';
import { explain, explainOlder } from './explained.ts';
import { olderConfig } from './older.ts';
import { query } from './query.ts';
import { sqliteMembership } from './sqlite.ts';
import { type World, world } from './world.ts';

export interface Outcome {
  /** Pairs of a row and a request that were judged by all. */
  evaluations: number;
  /** Pairs of a row and a request that belong together, so that not all is judged by nobody getting anything. */
  given: number;
  /** Queries and older configs that both engines refuse. */
  refused: number;
  /** Requests whose difference is a known error of the reference, by reason. */
  readonly explained: Map<string, number>;
  readonly differences: string[];
}

/** Case `n` of seed `s` is case 0 of seed `s + n`. */
export async function compareMembership(cases: number, seed: number): Promise<Outcome> {
  const outcome: Outcome = { evaluations: 0, given: 0, refused: 0, explained: new Map(), differences: [] };
  for (let at = seed; at < seed + cases; at++) {
    const random = randomFrom(at);
    const scene = world(random);
    if (random.chance(0.7)) await judgeStreams(random, scene, at, outcome);
    else await judgeOlder(random, scene, at, outcome);
  }
  return outcome;
}

async function judgeStreams(random: Random, scene: World, seed: number, outcome: Outcome): Promise<void> {
  let count = 0;
  const candidates = random.times(2, 4, () => query(random, `cte${count++}_`));
  const queries = candidates.filter((each) => areAccepted(configOf([[each]]), seed, outcome));
  if (queries.length === 0) return;
  const streams = random.chance(0.5) ? [queries] : queries.map((each) => [each]);
  const config = configOf(streams);
  const ours = ourMembership(config, streams.length, scene);
  const reference = await referenceMembership(config, streams.length, scene);
  const sqlite = sqliteMembership(queries, scene);
  collect(scene, ours, outcome);
  scene.requests.forEach((request, i) => {
    const opinions = { ours: at(ours, i), reference: at(reference, i), sqlite: at(sqlite, i) };
    if (areEqual(Object.values(opinions))) return;
    const reason = explain(queries, opinions);
    judge(outcome, reason, () => tell(seed, config, request, opinions));
  });
}

async function judgeOlder(random: Random, scene: World, seed: number, outcome: Outcome): Promise<void> {
  const { text: config, streams } = olderConfig(random);
  if (!areAccepted(config, seed, outcome)) return;
  const ours = ourMembership(config, streams, scene);
  const reference = await referenceMembership(config, streams, scene);
  collect(scene, ours, outcome);
  scene.requests.forEach((request, i) => {
    const opinions = { ours: at(ours, i), reference: at(reference, i) };
    if (areEqual(Object.values(opinions))) return;
    judge(outcome, explainOlder(config, scene, opinions), () => tell(seed, config, request, opinions));
  });
}

/** A config that only one of them refuses is a difference of its own. */
function areAccepted(config: string, seed: number, outcome: Outcome): boolean {
  const [ours, theirs] = [ourErrors(config), referenceOpinion(config)];
  const agreed = (ours.length === 0) === (theirs.verdict === 'valid');
  if (!agreed) outcome.differences.push(tell(seed, config, {}, { ours, reference: theirs.notes }));
  else if (ours.length > 0) outcome.refused++;
  return agreed && ours.length === 0;
}

function collect({ rows, requests }: World, ours: Membership, outcome: Outcome): void {
  outcome.evaluations += rows.length * requests.length;
  outcome.given += ours.flat().length;
}

function judge(outcome: Outcome, reason: string | undefined, difference: () => string): void {
  if (reason === undefined) outcome.differences.push(difference());
  else outcome.explained.set(reason, (outcome.explained.get(reason) ?? 0) + 1);
}

function at(membership: Membership, index: number): readonly string[] {
  return membership[index] ?? [];
}

function areEqual(opinions: readonly (readonly string[])[]): boolean {
  return new Set(opinions.map((ids) => ids.join(' '))).size === 1;
}

function tell(
  seed: number,
  config: string,
  request: object,
  opinions: Readonly<Record<string, readonly string[]>>,
): string {
  const lines = Object.entries(opinions).map(([who, ids]) => `${who}: ${ids.join(' ')}`);
  return [`seed ${seed}`, config, JSON.stringify(request), ...lines].join('\n');
}
