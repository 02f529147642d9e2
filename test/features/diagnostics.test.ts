import { describe, expect, test } from 'vitest';
import { analyze } from '../../server/engine/index.ts';
import { diagnostics } from '../../server/features/diagnostics.ts';
import { bracketed, openDrawn } from '../support/engine/drawn.ts';

/** Returns a config with unused CTEs, each a warning, and unknown keys, each an error. */
function config(ctes: number, keys: number): string {
  const named = Array.from({ length: ctes }, (_, n) => `  c${n}: SELECT id FROM a\n`).join('');
  const wrong = Array.from({ length: keys }, (_, n) => `    nonsense${n}: 1\n`).join('');
  return `config:\n  edition: 3\nwith:\n${named}streams:\n  s:\n    query: SELECT * FROM a\n${wrong}`;
}

describe('If there are very many problems', () => {
  test('the worst are shown in reading order, with the number of those that are not shown', () => {
    const found = diagnostics(openDrawn(config(300, 400)).analysis);
    const severities = found.map(({ severity }) => severity);
    expect(found.length).toBe(500);
    expect(severities.filter((severity) => severity === 'error').length).toBe(400);
    const starts = found.map(({ span }) => span.start);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(found.at(-1)?.message).toMatch(/\(200 more are not shown\.\)$/);
  });

  test('all are shown up to the limit', () => {
    const found = diagnostics(openDrawn(config(100, 400)).analysis);
    expect(found.length).toBe(500);
    expect(found.at(-1)?.message).not.toMatch(/not shown/);
  });
});

describe('A problem with a second place points to it', () => {
  test.each([
    ['service-path-and-content', "=== service.yaml\nsync_config:\n  content: ''\n  ⟦path⟧: sync.yaml\n"],
    [
      'cte-single-column',
      'config: { edition: 3 }\nwith:\n  ⟦m⟧: SELECT a, b FROM x\nstreams:\n  s:\n    query: SELECT * FROM y WHERE id IN m\n',
    ],
    [
      'cte-in-cte',
      'config: { edition: 3 }\nwith:\n  ⟦m⟧: SELECT a FROM x\n  n: SELECT a FROM m\nstreams:\n  s:\n    query: SELECT * FROM y WHERE a IN n OR b IN m\n',
    ],
    [
      'duplicate-definition',
      'config: { edition: 2 }\nbucket_definitions:\n  ⟦s⟧:\n    data: [SELECT * FROM a]\nstreams:\n  s:\n    query: SELECT * FROM a\n',
    ],
  ])('%s', (code, drawing) => {
    const { analysis, text } = openDrawn(drawing.replace(/[⟦⟧]/g, ''));
    const other = diagnostics(analysis).find((found) => found.code === code)?.related;
    expect(bracketed(text, other ? [other.span] : [])).toBe(drawing.replace(/^=== .*\n/, ''));
    expect(other?.message).toMatch(/^[A-Z`].*\.$/);
  });
});

test('Streams without an edition are one problem each, and nothing is struck through', () => {
  const found = diagnostics(openDrawn('streams:\n  lists:\n    query: SELECT * FROM lists\n').analysis);
  expect(found.map(({ code, tag }) => [code, tag])).toEqual([['streams-require-edition-2', undefined]]);
});

test('An empty file has no problem, but a file with only a comment has one', () => {
  const codesOf = (text: string) => diagnostics(analyze(text, { kind: 'sync' })).map(({ code }) => code);
  expect(codesOf('')).toEqual([]);
  expect(codesOf(' \n\n')).toEqual([]);
  expect(codesOf('# soon\n')).toEqual(['missing-definitions']);
});
