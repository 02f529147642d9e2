/** Random configs × rows × requests: who gets which rows, by three opinions. */
import { randomFrom } from '../differential/random.ts';
import { referenceOpinion } from '../differential/reference.ts';
import { configOf, ourErrors, ourMembership, referenceMembership } from './engines.ts';
import { query } from './query.ts';
import { sqliteMembership } from './sqlite.ts';
import { world } from './world.ts';

export interface Outcome {
  /** Pairs of a row and a request that were judged by all. */
  readonly evaluations: number;
  /** Queries that both engines refuse. */
  readonly refused: number;
  readonly differences: readonly string[];
}

/** Case `n` of seed `s` is case 0 of seed `s + n`. */
export async function compareMembership(cases: number, seed: number): Promise<Outcome> {
  let evaluations = 0;
  let refused = 0;
  const differences: string[] = [];
  for (let at = seed; at < seed + cases; at++) {
    const random = randomFrom(at);
    const candidates = random.times(2, 4, () => query(random));
    const scene = world(random);
    const queries = candidates.filter((each) => {
      const config = configOf([each]);
      const [ours, theirs] = [ourErrors(config), referenceOpinion(config)];
      const agreed = (ours.length === 0) === (theirs.verdict === 'valid');
      if (!agreed) differences.push(tell(at, each.stream, `ours: ${ours}`, `reference: ${theirs.notes}`));
      if (agreed && ours.length > 0) refused++;
      return agreed && ours.length === 0;
    });
    if (queries.length === 0) continue;
    const config = configOf(queries);
    const ours = ourMembership(config, queries.length, scene);
    const theirs = await referenceMembership(config, queries.length, scene);
    const sqlite = sqliteMembership(queries, scene);
    evaluations += scene.rows.length * scene.requests.length;
    scene.requests.forEach((request, i) => {
      const opinions = [ours[i], theirs[i], sqlite[i]].map((ids) => ids?.join(' '));
      if (new Set(opinions).size === 1) return;
      const [us, reference, oracle] = opinions;
      differences.push(
        tell(
          at,
          config,
          JSON.stringify(request),
          `ours:      ${us}`,
          `reference: ${reference}`,
          `SQLite:    ${oracle}`,
        ),
      );
    });
  }
  return { evaluations, refused, differences };
}

function tell(seed: number, ...lines: readonly string[]): string {
  return [`seed ${seed}`, ...lines].join('\n');
}
