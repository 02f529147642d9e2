import { describe, expect, test } from 'vitest';
import { inlayHints } from '../../server/features/inlayHints.ts';
import { lenses } from '../../server/features/lenses.ts';
import { openDrawn, undented } from '../support/engine/drawn.ts';

/** The text with each hint where an editor shows it. */
function hinted(drawing: string): string {
  const { analysis, text } = openDrawn(drawing);
  return inlayHints(analysis).reduceRight(
    (drawn, { offset, label }) => `${drawn.slice(0, offset)} ‹${label}›${drawn.slice(offset)}`,
    text,
  );
}

test('Behind each stream stands how many buckets a client gets of it', () => {
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
        all: ‹1 bucket, shared by all›
          auto_subscribe: true
          query: SELECT * FROM a
        "mine": ‹1 bucket per client›
          auto_subscribe: true
          query: SELECT * FROM b WHERE owner = auth.user_id()
        chosen: ‹1 bucket per subscription›
          query: SELECT * FROM c WHERE id = subscription.parameter('id')
        members: ‹1 bucket per row of members›
          query: SELECT * FROM d WHERE p IN (SELECT p FROM members WHERE m = auth.user_id())
        several: ‹1 bucket per subscription + 1 per element of auth.parameter('regions')›
          queries:
            - SELECT * FROM e WHERE owner = auth.user_id()
            - SELECT * FROM f WHERE region IN auth.parameter('regions')
        broken:
          query: SELECT * FROM g WHERE
    `),
  );
});

test('Behind each bucket definition, too', () => {
  expect(
    hinted(`
      bucket_definitions:
        a:
          parameters: SELECT request.user_id() AS id
          data: [SELECT * FROM a WHERE owner = bucket.id]
    `),
  ).toContain('a: ‹1 bucket per client›');
});

describe('Above a sync config', () => {
  const drawing = '# mine\nconfig: { edition: 3 }\nstreams:\n  a: { query: SELECT * FROM a }\n';
  const all = ['headwater.deploy', 'headwater.compareWithDeployed', 'headwater.validateOnService', 'other'];

  test('stand the commands that the client has, at the first key', () => {
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

  test('stands nothing where the client has none', () => {
    expect(lenses(openDrawn(drawing).analysis, [])).toEqual([]);
  });

  test('stands nothing if it is another file', () => {
    expect(lenses(openDrawn('=== service.yaml\nreplication: {}\n').analysis, all)).toEqual([]);
  });
});
