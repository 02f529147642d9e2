import { describe, expect, test } from 'vitest';
import { plansOf } from '../../server/engine/index.ts';
import { fingerprintOf } from '../../server/engine/plan/fingerprint.ts';
import { inlayHints } from '../../server/features/inlayHints.ts';
import { lenses } from '../../server/features/lenses.ts';
import { readKnownLimits } from '../../server/features/limits/knownLimits.ts';
import { openDrawn, undented } from '../support/engine/drawn.ts';

/** Returns the text with each hint where an editor shows it. */
function hinted(drawing: string): string {
  const { analysis, text } = openDrawn(drawing);
  return inlayHints(analysis).reduceRight(
    (drawn, { offset, label }) => `${drawn.slice(0, offset)} ‹${label}›${drawn.slice(offset)}`,
    text,
  );
}

test('A hint after each stream shows how many buckets a client gets', () => {
  expect(
    hinted(`
      config: { edition: 3 }
      streams:
        all:
          auto_subscribe: true
          query: SELECT * FROM a
        "mine":
          auto_subscribe: true
          query: SELECT * FROM b WHERE owner = auth.user_id()
        chosen:
          query: SELECT * FROM c WHERE id = subscription.parameter('id')
        own:
          query: SELECT * FROM b WHERE owner = auth.user_id()
        members:
          query: SELECT * FROM d WHERE p IN (SELECT p FROM members WHERE m = auth.user_id())
        several:
          queries:
            - SELECT * FROM e WHERE owner = auth.user_id()
            - SELECT * FROM f WHERE region IN auth.parameter('regions')
        broken:
          query: SELECT * FROM g WHERE
    `),
  ).toBe(
    undented(`
      config: { edition: 3 }
      streams:
        all: ‹1 bucket, shared by all clients›
          auto_subscribe: true
          query: SELECT * FROM a
        "mine": ‹1 bucket per client›
          auto_subscribe: true
          query: SELECT * FROM b WHERE owner = auth.user_id()
        chosen: ‹1 bucket per subscription›
          query: SELECT * FROM c WHERE id = subscription.parameter('id')
        own: ‹1 bucket per client›
          query: SELECT * FROM b WHERE owner = auth.user_id()
        members: ‹1 bucket per row of members›
          query: SELECT * FROM d WHERE p IN (SELECT p FROM members WHERE m = auth.user_id())
        several: ‹1 bucket per client + 1 per element of auth.parameter('regions')›
          queries:
            - SELECT * FROM e WHERE owner = auth.user_id()
            - SELECT * FROM f WHERE region IN auth.parameter('regions')
        broken:
          query: SELECT * FROM g WHERE
    `),
  );
});

test('A hint after each bucket definition shows how many buckets a client gets', () => {
  expect(
    hinted(`
      bucket_definitions:
        a:
          parameters: SELECT request.user_id() AS id
          data: [SELECT * FROM a WHERE owner = bucket.id]
    `),
  ).toContain('a: ‹1 bucket per client›');
});

describe('The code lenses', () => {
  const drawing = '# mine\nconfig: { edition: 3 }\nstreams:\n  a: { query: SELECT * FROM a }\n';
  const all = ['headwater.deploy', 'headwater.compareWithDeployed', 'headwater.validateOnService', 'other'];

  test('are the commands that the client supports, at the first key of a sync config', () => {
    const { analysis, text } = openDrawn(drawing);
    const found = lenses(analysis, all);
    expect(found.map(({ title }) => title)).toEqual([
      'Deploy',
      'Validate on service',
      'Compare with deployed',
    ]);
    expect(found.map(({ span }) => text.slice(span.start, span.end))).toEqual(['config', 'config', 'config']);
    expect(lenses(analysis, ['headwater.deploy']).map(({ command }) => command)).toEqual([
      'headwater.deploy',
    ]);
  });

  test('are empty if the client supports no command', () => {
    expect(lenses(openDrawn(drawing).analysis, [])).toEqual([]);
  });

  test('are empty in another kind of file', () => {
    expect(lenses(openDrawn('=== service.yaml\nreplication: {}\n').analysis, all)).toEqual([]);
  });
});

describe('If a service has reported how much its clients get', () => {
  const drawing = `
    config: { edition: 3 }
    streams:
      lists:
        query: SELECT * FROM lists WHERE id IN (SELECT list FROM members WHERE user_id = auth.user_id())
      own:
        query: SELECT * FROM lists WHERE owner = auth.user_id()
      listed:
        query: SELECT * FROM lists WHERE id IN auth.parameter('lists')
  `;
  const labels = (forecast: unknown) =>
    inlayHints(openDrawn(drawing).analysis, readKnownLimits(forecast)).map(({ label }) => label);
  const plain = labels(undefined);

  function forecastWith(amounts: object, fingerprint?: string): object {
    const { config } = openDrawn(drawing).analysis;
    const streams = (config === undefined ? [] : plansOf(config)).map((plan) => ({
      name: plan.name,
      fingerprint: fingerprint ?? fingerprintOf(plan),
      buckets: 1,
      reference: 0,
      ...(plan.name === 'lists' && amounts),
      ...(plan.name === 'listed' && { perElement: true }),
    }));
    return { limits: { buckets: 1_000, results: 1_000 }, groups: [], streams };
  }

  test('the hint shows the highest numbers of results and buckets, and a limit that is near', () => {
    expect(labels(forecastWith({ buckets: 295, reference: 1_235 }))).toEqual([
      '1,235 of 1,000 results in PowerSync',
      plain[1],
      plain[2],
    ]);
    expect(labels(forecastWith({ buckets: 900, reference: 900 }))[0]).toBe('up to 900 of 1,000 buckets');
  });

  test('near a limit, the tooltip shows which column would make the lookup unnecessary, with the migration', () => {
    const tooltips = (query: string, reference: number) => {
      const text = `config: { edition: 3 }\nstreams:\n  todos:\n    query: ${query}\n`;
      const { analysis } = openDrawn(text);
      const [plan] = analysis.config === undefined ? [] : plansOf(analysis.config);
      const stream = { name: 'todos', buckets: 1, reference, fingerprint: plan && fingerprintOf(plan) };
      const known = readKnownLimits({ limits: { buckets: 1_000, results: 1_000 }, streams: [stream] });
      return inlayHints(analysis, known).flatMap(({ details }) => details.slice(-1));
    };
    const owned = 'SELECT * FROM todos WHERE list_id IN (SELECT id FROM lists WHERE auth.user_id() = owner)';
    expect(tooltips(owned, 900)).toEqual([
      'With a column `owner` in `todos`, no lookup would be needed: `ALTER TABLE todos ADD COLUMN owner text; UPDATE todos SET owner = lists.owner FROM lists WHERE lists.id = todos.list_id;` then `WHERE owner = auth.user_id()`. Your backend or a trigger must keep the column up to date.',
    ]);
    expect(tooltips(owned, 700)).not.toEqual([expect.stringContaining('would need no lookup')]);
    // A list may have several members, so a column cannot replace this lookup.
    const shared =
      'SELECT * FROM todos WHERE list_id IN (SELECT list_id FROM members WHERE user_id = auth.user_id())';
    expect(tooltips(shared, 900)).not.toEqual([expect.stringContaining('would need no lookup')]);
  });

  test('a number that may be much lower is not near a limit', () => {
    expect(labels(forecastWith({ buckets: 1, reference: 1_000_000, atMost: true }))[0]).toBe(plain[0]);
  });

  test('the hint does not change for a stream that differs from the deployed one, or for an invalid forecast', () => {
    expect(labels(forecastWith({ buckets: 295 }, 'other'))).toEqual(plain);
    for (const broken of [null, 7, {}, { limits: {}, streams: [] }, { limits: { buckets: 1 }, streams: 1 }])
      expect(labels(broken)).toEqual(plain);
    const odd = { ...forecastWith({}), streams: [null, {}, { name: 'lists', fingerprint: 1 }] };
    expect(labels(odd)).toEqual(plain);
  });
});
