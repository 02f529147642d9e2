/** The forecast names users that PowerSync's service refuses, and a remedy sends the same rows below its limit. */
import { describe, expect, test } from 'vitest';
import { compareAccess, finish } from '../../../server/engine/index.ts';
import { limitCases } from '../../support/engine/limits/cases.ts';
import { configOf, forecastOfRows } from '../../support/engine/limits/forecast.ts';
import { referenceEvaluation } from '../../support/engine/referenceRows.ts';

const limit = 1_000;

describe.each(limitCases)('$source', (each) => {
  const { config, remedy, user, rows } = each;
  const ofUser = (text: string) =>
    forecastOfRows(text, rows)
      .groups.flatMap(({ most }) => most)
      .find(({ values }) => values.length === 1 && values[0] === user);

  test('is forecast before the deploy with the number of results in the reference, and is within our limit', async () => {
    const found = ofUser(config);
    expect(found?.reference).toBeGreaterThan(limit);
    expect(found?.buckets).toBeLessThanOrEqual(limit);
    const evaluation = referenceEvaluation(config);
    for (const [table, some] of rows) for (const row of some) evaluation.addRow(table, row);
    const request = { claims: { sub: user }, connection: {}, subscriptions: [] };
    expect(await evaluation.results(request)).toBe(found?.reference);
  });

  test('is below the limit for all users with the remedy', () => {
    const { groups, streams } = forecastOfRows(remedy, rows);
    for (const { reference, buckets } of [...streams, ...groups.flatMap(({ most }) => most)])
      expect(Math.max(reference, buckets)).toBeLessThan(limit / 2);
  });

  test('sends all users the same rows with the remedy', () => {
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
