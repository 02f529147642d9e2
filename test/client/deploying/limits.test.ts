import { expect, test } from 'vitest';
import { readGivenForecast } from '../../../client/api/forecast.ts';
import { limitLines } from '../../../client/deploying/limits.ts';
import { forecastWith } from '../../support/cli/forecast.ts';

const fits = { buckets: 1_000, results: 1_000, reference: 1_000 };

test('clients that exactly reach their limits are not reported', () => {
  expect(limitLines(forecastWith([{ values: ['ada'], ...fits }]))).toEqual([]);
});

test('a client over its limits is listed with each exceeded limit, the furthest first', () => {
  const clients = [
    { values: ['ada', 7], ...fits, reference: 1_235 },
    { values: ['bob', null], buckets: 3_000, results: 2_000, reference: 2_500 },
  ];
  expect(limitLines(forecastWith(clients, ['auth.user_id()', "auth.parameter('org')"]))).toEqual([
    'Over the limit for one client after this deploy:',
    `  auth.user_id() = "bob", auth.parameter('org') = null: 3,000 of 1,000 buckets, so streams are left out`,
    `  auth.user_id() = "bob", auth.parameter('org') = null: 2,500 of 1,000 results in PowerSync's service, which refuses this client`,
    `  auth.user_id() = "bob", auth.parameter('org') = null: 2,000 of 1,000 results, so streams are left out`,
    `  auth.user_id() = "ada", auth.parameter('org') = 7: 1,235 of 1,000 results in PowerSync's service, which refuses this client`,
  ]);
});

test('only some of many clients are named, and a limit without values applies to every client', () => {
  const many = Array.from({ length: 6 }, (_, i) => ({ values: [`u${i}`], ...fits, buckets: 1_500 }));
  expect(limitLines(forecastWith(many))).toHaveLength(6);
  expect(limitLines(forecastWith(many)).at(-1)).toBe('  2 more');
  expect(limitLines(forecastWith([{ values: [], ...fits, buckets: 1_001 }], []))[1]).toBe(
    '  every client: 1,001 of 1,000 buckets, so streams are left out',
  );
});

test('an answer about the active config is not a forecast for the given config', () => {
  const answer = { data: { limits: { buckets: 1, results: 1 }, groups: [], streams: [] } };
  expect(readGivenForecast(answer)).toBe(null);
  expect(readGivenForecast({ data: { ...answer.data, of: 'given' } })).toMatchObject({ groups: [] });
});
