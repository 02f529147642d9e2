/** Deliberate differences from the reference that no rule can report. docs/SERVICE.md describes them. */
import { DEFAULT_HYDRATION_STATE, SqlSyncRules } from '@powersync/service-sync-rules';
import { describe, expect, test } from 'vitest';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import { requestDocument } from '../../../server/engine/plan/evaluate/scope.ts';
import { finish } from '../../support/engine/evaluation.ts';
import { plansOf } from '../../support/engine/plans.ts';
import { referenceEvaluation } from '../../support/engine/referenceRows.ts';

function ours(config: string) {
  const { plans, options } = plansOf(config);
  return toConfigEvaluator(plans, { options });
}

const streamOf = (edition: number, query: string) =>
  `config: { edition: ${edition} }\nstreams:\n  s:\n    auto_subscribe: true\n    query: ${JSON.stringify(query)}\n`;

describe('The JSON text of a claim', () => {
  async function bucketsOf(condition: string, claims: string) {
    const config = streamOf(3, `SELECT * FROM t WHERE a = ${condition}`);
    const request = { connection: requestDocument('{}'), includeDefaults: true, subscriptions: [] };
    const asked = { ...request, claims: requestDocument(claims) };
    const theirs = { claims: JSON.parse(claims) as object, connection: {}, subscriptions: [] };
    return {
      ours: finish(ours(config).request(asked), []).buckets.map(({ bucket }) => bucket),
      theirs: [...(await referenceEvaluation(config).buckets(theirs))],
    };
  }

  test('keeps numbers as they are written, whereas the reference adds a decimal point', async () => {
    expect(await bucketsOf("auth.parameter('n')", '{"n":{"a":1}}')).toEqual({
      ours: ['s|0["{\\"a\\":1}"]'],
      theirs: ['s|0["{\\"a\\":1.0}"]'],
    });
    expect(await bucketsOf("auth.parameter('n')", '{"n":[1.0,2,3.5]}')).toEqual({
      ours: ['s|0["[1.0,2,3.5]"]'],
      theirs: ['s|0["[1.0,2.0,3.5]"]'],
    });
  });

  test.each(['1', '1.0', '1.5', '-7', '"1"', 'true'])(
    'is the same as in the reference for a single value: %s',
    async (n) => {
      const { ours: one, theirs } = await bucketsOf("auth.parameter('n')", `{"n":${n}}`);
      expect(one).toEqual(theirs);
    },
  );
});

describe('A condition that fails for a row', () => {
  const lookup = (conditions: string) =>
    streamOf(2, `SELECT * FROM t WHERE a IN (SELECT a FROM m WHERE u = auth.user_id() AND ${conditions})`);
  const row = { id: 'm1', a: 'a1', u: 'u1', active: 0n, data: 'no JSON' };

  test('is reported in any order; the reference reports it in lookups of edition 2 only if no condition before it is false', () => {
    for (const conditions of ["active = 1 AND data ->> 'x' = 'y'", "data ->> 'x' = 'y' AND active = 1"]) {
      const table = { tag: 'default', schema: 'public', name: 'm' };
      const { entries, failures } = ours(lookup(conditions)).rowsOf(table)(row);
      expect([entries, failures.map(({ code }) => code)]).toEqual([[], ['invalid-json']]);
    }
    expect(theirLookups(lookup("active = 1 AND data ->> 'x' = 'y'"), row)).toEqual([]);
    expect(() => theirLookups(lookup("data ->> 'x' = 'y' AND active = 1"), row)).toThrow(/JSON/);
  });
});

test('Tables that only events name are not replicated, because our service does not send events', () => {
  const config = `${streamOf(3, 'SELECT * FROM t')}event_definitions:\n  saved:\n    payloads:\n      - SELECT id FROM u\n`;
  expect(ours(config).tables.map(({ name }) => name)).toEqual([{ wildcard: false, text: 't' }]);
});

function theirLookups(config: string, record: object): readonly object[] {
  const read = SqlSyncRules.fromYaml(config, {
    throwOnError: true,
    defaultSchema: 'public',
    schema: undefined,
  } as never) as never as {
    config: {
      hydrate(settings: object): { evaluateParameterRow(table: object, row: object): readonly object[] };
    };
  };
  const table = { connectionTag: 'default', schema: 'public', name: 'm' };
  return read.config.hydrate({ hydrationState: DEFAULT_HYDRATION_STATE }).evaluateParameterRow(table, record);
}
