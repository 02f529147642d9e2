import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../server/engine/text/edit.ts';
import { symbolAt } from '../../server/features/references.ts';
import { prepareRename, rename } from '../../server/features/rename.ts';
import { openDrawn, undented } from '../support/engine/drawn.ts';

const head = 'config: { edition: 3 }\nstreams:\n  a:\n';

/** Returns the text after renaming the symbol at the cursor, or the reason why this is refused. */
function renamed(drawing: string, name: string): string {
  const { analysis, offset, text } = openDrawn(drawing);
  const symbol = symbolAt(analysis, offset);
  if (!symbol) return 'no name';
  const result = rename(analysis, symbol, name);
  return result.kind === 'refused' ? result.reason : applyEdits(text, result.edits);
}

/** Renames in a stream that is given by its lines, and returns only these lines. */
function renamedIn(stream: string, name: string): string {
  const result = renamed(head + stream, name);
  return result.startsWith(head) ? result.slice(head.length) : result;
}

/** Returns the consequence for clients, or undefined if there is none. */
function consequenceOf(drawing: string, name: string): string | undefined {
  const { analysis, offset } = openDrawn(drawing);
  const symbol = symbolAt(analysis, offset);
  const result = symbol && rename(analysis, symbol, name);
  return result?.kind === 'possible' ? result.consequence : 'refused';
}

describe('Renaming an alias', () => {
  const ofClients = `${head}    query: SELECT <|>t.id FROM todos AS t WHERE t.owner = auth.user_id()\n`;
  const inside = `${head}    query: SELECT * FROM todos WHERE list_id IN (SELECT <|>l.id FROM lists l WHERE l.owner = auth.user_id())\n`;

  test('reports that clients see it as the name of the table', () => {
    expect(consequenceOf(ofClients, 'u')).toMatch(/`t`.*`u`/);
  });

  test('also reports this if the rows of two queries would be merged', () => {
    const beside = `${ofClients}  b:\n    query: SELECT id FROM users WHERE id = auth.user_id()\n`;
    expect(consequenceOf(beside, 'users')).toMatch(/`t`.*`users`/);
  });

  test('reports nothing if only the query sees it', () => {
    expect(consequenceOf(inside, 'u')).toBeUndefined();
    const joined = `${head}    query: SELECT todos.* FROM todos JOIN lists <|>l ON l.id = todos.list_id WHERE l.owner = auth.user_id()\n`;
    expect(consequenceOf(joined, 'u')).toBeUndefined();
  });
});

describe('Renaming', () => {
  test('a CTE changes its key and its uses', () => {
    expect(
      renamed(
        `
        config: { edition: 3 }
        with:
          mine: SELECT id FROM lists
        streams:
          a:
            query: SELECT todos.* FROM todos JOIN mi<|>ne ON todos.list_id = mine.id
        `,
        'my_lists',
      ),
    ).toBe(
      undented(`
        config: { edition: 3 }
        with:
          my_lists: SELECT id FROM lists
        streams:
          a:
            query: SELECT todos.* FROM todos JOIN my_lists ON todos.list_id = my_lists.id
        `),
    );
  });

  test('a stream changes its key', () => {
    expect(renamed('config: { edition: 3 }\nstreams:\n  "<|>a":\n    query: SELECT * FROM x\n', 'my-x')).toBe(
      'config: { edition: 3 }\nstreams:\n  my-x:\n    query: SELECT * FROM x\n',
    );
  });

  test('to a name with capitals quotes the name in SQL, even within YAML quotes', () => {
    expect(renamedIn('    query: "SELECT <|>t.id FROM todos AS t"\n', 'Todo')).toBe(
      '    query: "SELECT \\"Todo\\".id FROM todos AS \\"Todo\\""\n',
    );
  });

  test('a quoted alias keeps its quotes, which show that clients are meant to see it', () => {
    expect(renamedIn('    query: SELECT <|>s.id FROM slots AS "s"\n', 'places')).toBe(
      '    query: SELECT places.id FROM slots AS "places"\n',
    );
  });

  test('a parameter keeps the quotes around it', () => {
    expect(
      renamedIn("    query: 'SELECT * FROM x WHERE id = subscription.parameter(''<|>id'')'\n", 'list id'),
    ).toBe("    query: 'SELECT * FROM x WHERE id = subscription.parameter(''list id'')'\n");
  });

  test('a CTE column that has its name from a table adds an alias', () => {
    expect(
      renamedIn(
        '    with:\n      m: SELECT id FROM lists\n    query: SELECT x.* FROM x JOIN m ON x.l = m.<|>id\n',
        'list',
      ),
    ).toBe(
      '    with:\n      m: SELECT id AS list FROM lists\n    query: SELECT x.* FROM x JOIN m ON x.l = m.list\n',
    );
  });

  test('works with Windows line ends', () => {
    expect(renamed(`${head}    query: SELECT <|>t.id FROM todos AS t\n`.replaceAll('\n', '\r\n'), 'u')).toBe(
      `${head}    query: SELECT u.id FROM todos AS u\n`.replaceAll('\n', '\r\n'),
    );
  });
});

describe('Renaming is refused', () => {
  test.each<[string, string, string, RegExp]>([
    ['for a table', '    query: SELECT * FROM <|>x\n', 'y', /table of the source database/],
    ['for a column', '    query: SELECT <|>id FROM x\n', 'y', /column of `x`/],
    ['for the id of the rows', '    query: SELECT code AS <|>id FROM x\n', 'code', /column named `id`/],
    ['to an empty name', '    query: SELECT <|>t.id FROM x AS t\n', ' ', /Enter a name/],
    ['to a name with quotes', '    query: SELECT <|>t.id FROM x AS t\n', 'a"b', /quotes/],
    [
      'when another alias has the name',
      '    query: SELECT <|>t.id FROM x AS t JOIN y AS u ON t.a = u.a\n',
      'u',
      /break the config|already means/,
    ],
    [
      'when a subquery would hide the new name',
      '    query: SELECT * FROM x AS <|>t WHERE a IN (SELECT b FROM y AS u WHERE t.c = u.c)\n',
      'u',
      /already means/,
    ],
    [
      'for a CTE when a table has the name',
      '    with:\n      <|>m: SELECT id FROM lists\n    queries:\n      - SELECT * FROM x WHERE id IN m\n      - SELECT * FROM y\n',
      'y',
      /already means|break the config/,
    ],
    [
      'when a query with the name cannot be read',
      '    with:\n      <|>m: SELECT id FROM lists\n    queries:\n      - SELECT * FROM x WHERE id IN m\n      - SELECT * FRO m\n',
      'y',
      /syntax error/,
    ],
  ])('%s', (_, stream, name, reason) => {
    expect(renamedIn(stream, name)).toMatch(reason);
  });

  test('for a stream when another stream has the name', () => {
    expect(renamed(`${head}    query: SELECT * FROM x\n  <|>b:\n    query: SELECT * FROM y\n`, 'a')).toMatch(
      /break the config/,
    );
  });
});

test('Before the new name is typed, the old name is returned, or the rename is refused', () => {
  const { analysis, offset, text } = openDrawn(`${head}    query: SELECT <|>t.id FROM todos AS t\n`);
  const possible = prepareRename(analysis, offset);
  expect(possible).toEqual({ kind: 'possible', name: 't', span: { start: offset, end: offset + 1 } });
  expect(prepareRename(analysis, text.indexOf('todos'))).toMatchObject({ kind: 'refused' });
  expect(prepareRename(analysis, text.indexOf('SELECT'))).toBeUndefined();
});
