/** Every request gets the same rows before and after a migration. */
import { expect, test } from 'vitest';
import { severityOf } from '../../server/engine/diagnostics/diagnostics.ts';
import { analyze } from '../../server/engine/index.ts';
import { migrateToStreams } from '../../server/engine/migrate/migrate.ts';
import { toConfigEvaluator } from '../../server/engine/plan/evaluate/evaluate.ts';
import { randomFrom } from '../differential/random.ts';
import { finish } from '../support/engine/evaluation.ts';
import { plansOf } from '../support/engine/plans.ts';
import { casesOf } from '../support/house/share.ts';
import { sqlRow, syncRequest } from './engines.ts';
import { olderConfig } from './older.ts';
import { type World, world } from './world.ts';

const cases = casesOf(300);

test('random older configs and their migrations return the same rows for the same requests', {}, () => {
  const outcome = { compared: 0, given: 0, refused: 0 };
  for (let seed = 1; seed <= cases; seed++) {
    const random = randomFrom(seed);
    const scene = world(random);
    const { text, streams } = olderConfig(random);
    if (!isValid(text)) continue;
    const migration = migrateToStreams(text);
    if (migration.kind === 'current') throw new Error('It is older.');
    if (migration.kind === 'refused') {
      outcome.refused += 1;
      continue;
    }
    const before = reached(text, streams, scene);
    expect(reached(migration.text, streams, scene), `seed ${seed}\n${text}\n${migration.text}`).toEqual(
      before,
    );
    outcome.compared += 1;
    outcome.given += before.flat().length;
  }
  // A few more refusals may occur by chance if the number of configs is small.
  expect(outcome.refused).toBeLessThan(Math.max(4, outcome.compared / 20));
  expect(outcome.given).toBeGreaterThan(cases / 2);
});

function isValid(text: string): boolean {
  return !analyze(text, { kind: 'sync' }).findings.some(({ code }) => severityOf(code) === 'error');
}

/** Returns the rows that each request gets, as clients see them. */
function reached(config: string, streams: number, { rows, requests }: World): readonly (readonly string[])[] {
  const { plans, options } = plansOf(config);
  const evaluator = toConfigEvaluator(plans, { options });
  const results = rows.map(({ table, record }) =>
    evaluator.rowsOf({ tag: 'default', schema: 'public', name: table })(sqlRow(record)),
  );
  const outputs = results.flatMap((result) => result.rows);
  const entries = results.flatMap((result) => result.entries);
  return requests.map((request) => {
    const { buckets } = finish(evaluator.request(syncRequest(request, streams)), entries);
    const names = new Set(buckets.map(({ bucket }) => bucket));
    const found = outputs.filter(({ bucket }) => names.has(bucket));
    return [...new Set(found.map(({ table, id, data }) => `${table} ${id} ${data}`))].sort();
  });
}
