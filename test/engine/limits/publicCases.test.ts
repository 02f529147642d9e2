/** The forecast names who is refused in PowerSync's service, and a remedy gives everybody the same rows below its limit. */
import { describe, expect, test } from 'vitest';
import { type Analysis, analyze, compareAccess, finish, plansOf } from '../../../server/engine/index.ts';
import type { LimitForecast } from '../../../server/engine/limits/forecast.ts';
import { forecastOfRows } from '../../../server/engine/limits/ofRows.ts';
import { prepareForecast } from '../../../server/engine/limits/prepare.ts';
import { referencePlansOf } from '../../../server/engine/limits/referencePlans.ts';
import { type LimitCase, limitCases } from '../../support/engine/limitCases.ts';
import { referenceEvaluation } from '../../support/engine/referenceRows.ts';

const limit = 1_000;

function configOf(text: string): NonNullable<Analysis['config']> {
  const { config } = analyze(text, { kind: 'sync', defaultSchema: 'public' });
  if (config === undefined) throw new Error('There is no config.');
  return config;
}

function forecastFor(text: string, { rows }: LimitCase): LimitForecast {
  const config = configOf(text);
  const prepared = prepareForecast({
    plans: plansOf(config),
    referencePlans: referencePlansOf(config),
    options: config.surroundings.options,
  });
  const tables = [...rows].map(([name, some]) => ({
    table: { tag: 'default', schema: 'public', name },
    some,
  }));
  return forecastOfRows(
    prepared,
    tables.flatMap(({ table, some }) => some.map((row) => ({ table, row }))),
  );
}

describe.each(limitCases)('$source', (each) => {
  const { config, remedy, user, rows } = each;
  const ofUser = (text: string) =>
    forecastFor(text, each)
      .groups.flatMap(({ most }) => most)
      .find(({ values }) => values.length === 1 && values[0] === user);

  test('is named before the deploy, with as many results as the reference reads, and fits here', async () => {
    const found = ofUser(config);
    expect(found?.reference).toBeGreaterThan(limit);
    expect(found?.buckets).toBeLessThanOrEqual(limit);
    const evaluation = referenceEvaluation(config);
    for (const [table, some] of rows) for (const row of some) evaluation.addRow(table, row);
    const request = { claims: { sub: user }, connection: {}, subscriptions: [] };
    expect(await evaluation.results(request)).toBe(found?.reference);
  });

  test('is below the limit with the remedy, for everybody', () => {
    const { groups, streams } = forecastFor(remedy, each);
    for (const { reference, buckets } of [...streams, ...groups.flatMap(({ most }) => most)])
      expect(Math.max(reference, buckets)).toBeLessThan(limit / 2);
  });

  test('gives nobody more or less rows with the remedy', () => {
    let looks = 0;
    const { changes } = finish(
      compareAccess(configOf(config), configOf(remedy), undefined, () => {
        looks = 0;
        return { isTimeUp: () => looks++ > 4 };
      }),
    );
    expect(changes.map(({ kind, stream, table }) => `${kind} ${stream} ${table}`)).toEqual([]);
  });
});
