import { describe, expect, test } from 'vitest';
import { folding } from '../../server/features/folding.ts';
import { links } from '../../server/features/links.ts';
import { selection } from '../../server/features/selection.ts';
import { namesToFind, type OutlineNode, outline } from '../../server/features/symbols.ts';
import { openDrawn } from '../support/engine/drawn.ts';

const config = `
  config:
    edition: 3
  with:
    admins: SELECT id FROM users WHERE admin
  streams:
    lists:
      query: |
        SELECT *
        FROM lists
        WHERE (owner = auth.user_id() OR lists.id<|> IN admins)
    todos:
      with:
        mine: SELECT id FROM lists
      queries:
        - SELECT * FROM todos WHERE list_id IN mine
        - SELECT * FROM notes AS n
`;

/** Draws each node on a line: its kind, its name, and its first and last line, counted from 1. */
function drawOutline(text: string, nodes: readonly OutlineNode[], depth = 0): string[] {
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
  return nodes.flatMap(({ kind, name, whole, inner }) => [
    `${'  '.repeat(depth)}${kind} ${name} ${lineOf(whole.start)}-${lineOf(whole.end)}`,
    ...drawOutline(text, inner, depth + 1),
  ]);
}

describe('The outline', () => {
  test('of a sync config contains its definitions and their queries', () => {
    const { analysis, text } = openDrawn(config);
    expect(drawOutline(text, outline(analysis))).toEqual([
      'section config 1-2',
      '  key edition 2-2',
      'section with 3-4',
      '  cte admins 4-4',
      'section streams 5-16',
      '  stream lists 6-10',
      '    query lists 7-10',
      '  stream todos 11-16',
      '    cte mine 13-13',
      '    query todos 15-15',
      '    query n 16-16',
    ]);
  });

  test('of bucket definitions and events has the same form', () => {
    const { analysis, text } = openDrawn(`
      bucket_definitions:
        mine:
          parameters: SELECT request.user_id() AS id
          data: [SELECT * FROM a]
      event_definitions:
        done:
          payloads: [SELECT * FROM b]
    `);
    expect(drawOutline(text, outline(analysis))).toEqual([
      'section bucket_definitions 1-4',
      '  bucket definition mine 2-4',
      '    query a 4-4',
      'section event_definitions 5-7',
      '  event done 6-7',
      '    query b 7-7',
    ]);
  });

  test('of a service config contains its keys', () => {
    const { analysis, text } = openDrawn(`
      === service.yaml
      replication:
        connections:
          - type: postgresql
            uri: !env PS_URI
    `);
    expect(drawOutline(text, outline(analysis))).toEqual([
      'key replication 1-4',
      '  key connections 2-4',
      '    key type 3-3',
      '    key uri 4-4',
    ]);
  });

  test('has a place for each name within its node', () => {
    const { analysis } = openDrawn(config);
    const check = ({ whole, nameSpan, inner }: OutlineNode): void => {
      expect(whole.start <= nameSpan.start && nameSpan.end <= whole.end).toBe(true);
      inner.forEach(check);
    };
    outline(analysis).forEach(check);
  });

  test('can be searched by the names of its CTEs and streams', () => {
    const { analysis } = openDrawn(config);
    expect(namesToFind(analysis).map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'cte admins',
      'stream lists',
      'stream todos',
      'cte mine',
    ]);
  });
});

test('A value of several lines folds from its key', () => {
  const { analysis, text } = openDrawn(config);
  const folds = folding(analysis).map(({ start, end }) => {
    const lines = text.slice(start, end).split('\n');
    return `${lines[0]?.trim()} +${lines.length - 1}`;
  });
  expect(folds).toEqual([
    'config: +1',
    'with: +1',
    'streams: +11',
    'lists: +4',
    'query: | +3',
    'todos: +5',
    'with: +1',
    'queries: +2',
  ]);
});

test('Comments of several lines and regions fold, each with its own kind', () => {
  const drawing = `
    # One.
    # Two.
    config:
      edition: 3
    # region rows
    streams:
      # Alone.
      lists:
        query: |
          SELECT *
          # no comment
          # of the file
          FROM lists
    # endregion
  `;
  const { analysis, text } = openDrawn(drawing);
  const kinds = folding(analysis).flatMap(({ start, end, kind }) =>
    kind
      ? [
          [
            kind,
            text
              .slice(start, end)
              .split('\n')
              .map((line) => line.trim()),
          ],
        ]
      : [],
  );
  expect(kinds.map(([kind, lines]) => [kind, lines?.[0], lines?.at(-1)])).toEqual([
    ['comment', '# One.', '# Two.'],
    ['region', '# region rows', '# endregion'],
  ]);
});

describe('A selection grows', () => {
  /** Returns each step on a line, with white space reduced to one blank. */
  function steps(drawing: string): string[] {
    const { analysis, offset, text } = openDrawn(drawing);
    return selection(analysis, offset).map(({ start, end }) =>
      text.slice(start, end).replace(/\s+/g, ' ').trim(),
    );
  }

  test('from the word to the expression, the condition, the query, the stream and the file', () => {
    const grown = steps(config);
    expect(grown.slice(0, 6)).toEqual([
      'id',
      'lists.id',
      'lists.id IN admins',
      'owner = auth.user_id() OR lists.id IN admins',
      '(owner = auth.user_id() OR lists.id IN admins)',
      'SELECT * FROM lists WHERE (owner = auth.user_id() OR lists.id IN admins)',
    ]);
    expect(grown.slice(6).map((step) => step.split(' ').slice(0, 2).join(' '))).toEqual([
      '| SELECT',
      'query: |',
      'lists: query:',
      'lists: query:',
      'streams: lists:',
      'config: edition:',
    ]);
  });

  test('through a join and its condition to the entire FROM clause', () => {
    expect(
      steps(`
        config: { edition: 3 }
        streams:
          a: { query: "SELECT a.* FROM a JOIN b ON a.i<|>d = b.id" }
      `).slice(0, 6),
    ).toEqual([
      'id',
      'a.id',
      'a.id = b.id',
      'JOIN b ON a.id = b.id',
      'a JOIN b ON a.id = b.id',
      'SELECT a.* FROM a JOIN b ON a.id = b.id',
    ]);
  });

  test('from a key to its entry and its section', () => {
    expect(steps('config:\n  edi<|>tion: 3\nstreams: {}\n').slice(0, 3)).toEqual([
      'edition',
      'edition: 3',
      'config: edition: 3',
    ]);
  });
});

describe('There is a link', () => {
  test('from a service config to its sync config', () => {
    const { analysis, text } = openDrawn(`
      === service.yaml
      sync_config:
        path: ../sync.yaml
    `);
    expect(links(analysis).map(({ span, ...link }) => [text.slice(span.start, span.end), link])).toEqual([
      ['../sync.yaml', { kind: 'file', path: '../sync.yaml' }],
    ]);
  });

  test('from an ignored code to its page', () => {
    const { analysis, text } = openDrawn(`
      config: { edition: 3 }
      # headwater-ignore unknown-table, no-such-code
      streams: {}
    `);
    expect(links(analysis).map(({ span }) => text.slice(span.start, span.end))).toEqual(['unknown-table']);
  });

  test('but not from a path that comes from the environment', () => {
    expect(links(openDrawn('=== service.yaml\nsync_config:\n  path: !env PS_PATH\n').analysis)).toEqual([]);
  });
});
