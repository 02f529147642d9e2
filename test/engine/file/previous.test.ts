import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Analysis, analyze, type PlacedDefinition } from '../../../server/engine/index.ts';
import { readCatalog } from '../../support/engine/catalog.ts';
import { readExamples } from '../../support/engine/examples.ts';
import { edited } from '../yaml/edits.ts';

const config = `config:
  edition: 3
with:
  mine: SELECT id FROM lists WHERE owner = auth.user_id()
streams:
  first:
    query: SELECT * FROM tasks WHERE list IN mine
  second:
    query: SELECT id, upper(title) FROM tasks
  third:
    query: SELECT * FROM nope WHERE
`;

function definitionNamed(analysis: Analysis, name: string): PlacedDefinition {
  const found = analysis.config?.definitions.find(({ definition }) => definition.name === name);
  if (found === undefined) throw new Error(`No definition ${name}`);
  return found;
}

/** Whether the definition was reused from the earlier analysis instead of being made again. */
function isKept(name: string, before: Analysis, after: Analysis): boolean {
  return definitionNamed(before, name).definition === definitionNamed(after, name).definition;
}

function change(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, to);
}

describe('A definition is kept', () => {
  const before = analyze(config);

  test('when another definition changes', () => {
    const after = analyze(change(config, 'upper(title)', 'lower(title)'), { previous: before });
    expect(['first', 'second', 'third'].map((name) => isKept(name, before, after))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('when it moves, and its findings move with it', () => {
    const text = change(
      config,
      '  second:',
      '  # new\n  between:\n    query: SELECT * FROM lists\n  second:',
    );
    const after = analyze(text, { previous: before });
    expect(isKept('third', before, after)).toBe(true);
    expect(after.findings).toEqual(analyze(text).findings);
    expect(definitionNamed(after, 'third').part.base).toBe(text.indexOf('  third'));
  });
});

describe('Each definition is made again', () => {
  const catalog = readCatalog('create table tasks (id text, list text, title text)');
  const before = analyze(config, { catalog });

  test.each([
    [
      'an option changes',
      analyze(change(config, 'edition: 3', 'edition: 3\n  fixed_json_extract: false'), {
        catalog,
        previous: before,
      }),
    ],
    ['a global CTE changes', analyze(change(config, 'owner', 'keeper'), { catalog, previous: before })],
    ['the catalog changes', analyze(config, { catalog: { ...catalog, version: 'next' }, previous: before })],
    ['the catalog is gone', analyze(config, { previous: before })],
    ['the default schema changes', analyze(config, { catalog, defaultSchema: 'app', previous: before })],
  ])('when %s', (_, after) => {
    expect(isKept('second', before, after)).toBe(false);
  });
});

test('A CTE becomes unused when its last use is removed', () => {
  const before = analyze(config);
  expect(before.findings.map(({ code }) => code)).not.toContain('unused-cte');
  const after = analyze(change(config, 'list IN mine', 'true'), { previous: before });
  expect(after.findings.map(({ code }) => code)).toContain('unused-cte');
});

test('The memory holds only the current file, and nothing of the previous one', () => {
  const after = analyze('streams: {}\n', { previous: analyze(config) });
  expect(after.memory?.parts.map(({ reading }) => reading.text)).toEqual(['streams: {}\n']);
  expect(after.memory?.runs).toEqual([]);
});

test('The findings are the same with and without an earlier analysis', () => {
  const texts = [config, ...readExamples().map(({ text }) => text)];
  let previous: Analysis | undefined;
  fc.assert(
    fc.property(edited(texts), (text) => {
      previous = analyze(text, { kind: 'sync', previous });
      expect(previous.findings).toEqual(analyze(text, { kind: 'sync' }).findings);
    }),
    { numRuns: 300, seed: 5 },
  );
});
