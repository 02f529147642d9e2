import { describe, expect, test } from 'vitest';
import { hover } from '../../server/features/hover/hover.ts';
import { bracketed, openDrawn } from '../support/engine/drawn.ts';

const schema = `
=== catalog
create table boats (id uuid not null, name text, owner_id text, region text)
create table crews (boat_id uuid, user_id text)`;

function told(drawing: string): string {
  const { analysis, offset } = openDrawn(drawing);
  return hover(analysis, offset)?.markdown ?? '';
}

/** Returns the line of the hover, with brackets around the text that it explains. */
function place(drawing: string): string {
  const { analysis, offset, text } = openDrawn(drawing);
  const found = hover(analysis, offset);
  const drawn = bracketed(text, found ? [found.span] : []);
  return drawn.split('\n').find((line) => line.includes('⟦')) ?? '';
}

const stream = (query: string, more = '') =>
  `config:\n  edition: 3\n${more}streams:\n  mine:\n    query: |\n      ${query}\n${schema}`;

describe('A key', () => {
  test('shows its purpose, its values and its default', () => {
    const drawing = 'config:\n  edi<|>tion: 3\nstreams: {}\n';
    expect(place(drawing)).toBe('  ⟦edition⟧: 3');
    expect(told(drawing)).toContain('- `3`: Sync Streams.');
    expect(told(drawing)).toContain('Default: `1`.');
  });

  test('is also explained at its value', () => {
    expect(
      place('config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT 1\n    auto_subscribe: tr<|>ue\n'),
    ).toBe('    auto_subscribe: ⟦true⟧');
  });

  test('of a service config is explained for its type', () => {
    const drawing =
      '=== service.yaml\nreplication:\n  connections:\n    - type: postgresql\n      ssl<|>mode: disable\n';
    expect(told(drawing)).toContain('Not encrypted');
    expect(told('=== service.yaml\nreplication: {}\nsync_<|>rules: {}\n')).toContain('**Deprecated.**');
  });

  test('that is unknown is explained only by its finding', () => {
    expect(told('config:\n  edition: 3\n  editoin<|>: 3\nstreams: {}\n')).toMatch(
      /^\*\*.* · error `unknown-key`/,
    );
  });
});

test.each(['auth.<|>user_id()', 'upper(<|>lower(name))'])(
  '%s: the first letter of a name belongs to its function',
  (call) => {
    expect(told(stream(`SELECT * FROM boats WHERE owner_id = ${call}`))).toMatch(
      /^```sql\n(auth\.user_id|lower)\(/,
    );
  },
);

describe('A stream', () => {
  test('shows its audience, its columns, its parameters and its number of buckets', () => {
    const drawing = `config:\n  edition: 3\nstreams:\n  mi<|>ne:\n    priority: 1\n    queries:
      - SELECT id, name FROM boats AS "b" WHERE region = connection.parameter('region')
      - SELECT * FROM crews WHERE user_id = auth.parameters() ->> 'member'\n`;
    expect(place(drawing)).toBe('  ⟦mine⟧:');
    expect(told(drawing)).toContain('stream, subscription required, priority 1');
    expect(told(drawing)).toContain('- `b` from `public.boats`: `id`, `name`\n- `public.crews`: all columns');
    expect(told(drawing)).toContain('- `region`: chosen by the client\n- `member`: signed by the token');
    expect(told(drawing)).toContain('Buckets: 2 buckets per client.');
  });

  test('with an error shows that its rows are not known', () => {
    expect(told('config:\n  edition: 3\nstreams:\n  mi<|>ne:\n    query: SELECT FROM\n')).toContain(
      'so its rows are unknown',
    );
  });

  test('before edition 3 is shown as a bucket definition', () => {
    const drawing =
      'bucket_definitions:\n  by<|>_me:\n    parameters: SELECT request.user_id() AS me\n    data:\n      - SELECT * FROM t WHERE o = bucket.me\n';
    expect(told(drawing)).toContain('bucket definition, priority 3');
    expect(told(drawing)).toContain('- `public.t`: all columns');
  });
});

describe('In a query', () => {
  test('a table shows its columns, in the source and as synced', () => {
    const drawing = stream('SELECT * FROM bo<|>ats');
    expect(place(drawing)).toBe('      SELECT * FROM ⟦boats⟧');
    expect(told(drawing)).toContain('| `id` | `uuid` not null | `text` |');
  });

  test('a table of an unknown source shows the columns that other queries read', () => {
    const drawing =
      'config: { edition: 3 }\nstreams:\n  a:\n    query: SELECT id FROM boats\n  b:\n    query: SELECT * FROM bo<|>ats\n';
    expect(told(drawing)).toContain('there is no schema of the source');
    expect(told(drawing)).toContain('`id`');
  });

  test('a column shows its types, even through aliases, CTEs and subqueries', () => {
    const types = 'In the source: `uuid` not null. As synced: `text`.';
    expect(told(stream('SELECT i<|>d FROM boats'))).toContain(types);
    expect(told(stream('SELECT b.i<|>d FROM boats AS "b"'))).toContain(types);
    const cte = 'with:\n  c: SELECT id AS boat FROM boats\n';
    expect(told(stream('SELECT crews.* FROM crews JOIN c ON c.bo<|>at = crews.boat_id', cte))).toContain(
      types,
    );
    expect(told(stream('SELECT q.n<|> FROM (SELECT id AS n FROM boats) AS q'))).toContain(types);
  });

  test('a binary column is shown as not synced, as its rule says', () => {
    const files = 'config: { edition: 3 }\nstreams:\n  a:\n    query: SELECT id, co<|>ntent FROM files\n';
    const catalog = '\n=== catalog\ncreate table files (id uuid, content bytea)';
    const column = told(files + catalog);
    expect(column).toContain('In the source: `bytea`. Not synced.');
    expect(column).toContain('`base64(…)`');
    expect(told(files.replace('co<|>ntent FROM files', 'content FROM fi<|>les') + catalog)).toContain(
      '| `content` | `bytea` | not synced |',
    );
  });

  test('a column in a subquery belongs to the inner table', () => {
    const drawing = stream('SELECT * FROM crews WHERE boat_id IN (SELECT i<|>d FROM boats)');
    expect(told(drawing)).toContain('column of `boats`');
  });

  test('an alias shows its table', () => {
    expect(told(stream('SELECT b<|>.id FROM boats AS "b"'))).toContain('**`b`** · table `boats`');
  });

  test('a CTE shows its query', () => {
    const cte = 'with:\n  c: SELECT id FROM boats\n';
    expect(told(stream('SELECT * FROM crews WHERE boat_id IN c<|>', cte))).toContain('SELECT id FROM boats');
  });

  test('a parameter shows whether it is signed or chosen by the client', () => {
    const signed = told(stream("SELECT * FROM boats WHERE name = auth.parameter('or<|>g')"));
    expect(signed).toContain('**Signed**');
    const chosen = told(stream("SELECT * FROM boats WHERE name = connection.parameters() ->> 'or<|>g'"));
    expect(chosen).toContain('**Chosen by the client**');
  });

  test('a bucket parameter shows the query that selects it', () => {
    const drawing =
      'bucket_definitions:\n  a:\n    parameters: SELECT request.user_id() AS me\n    data:\n      - SELECT * FROM t WHERE o = bucket.m<|>e\n';
    expect(told(drawing)).toContain('SELECT request.user_id() AS me');
  });

  test('a function shows its signature, its result for NULL, and an example', () => {
    const drawing = stream('SELECT up<|>per(name) AS n, id FROM boats');
    expect(place(drawing)).toBe('      SELECT ⟦upper⟧(name) AS n, id FROM boats');
    expect(told(drawing)).toContain('upper(x)');
    expect(told(drawing)).toContain('NULL if an argument is NULL.');
    expect(told(drawing)).toContain("upper('straße') = 'STRASSE'");
  });

  test('a request function is explained at both parts of its name', () => {
    for (const call of ['au<|>th.user_id()', 'auth.us<|>er_id()'])
      expect(place(stream(`SELECT * FROM boats WHERE owner_id = ${call}`))).toContain('⟦auth.user_id⟧()');
  });

  test('in quotes and folded lines, places are exact', () => {
    expect(
      place('config: { edition: 3 }\nstreams:\n  a: { query: "SELECT \\"id\\" FROM b\\u006fat<|>s" }\n'),
    ).toContain('⟦b\\u006fats⟧');
  });
});

describe('A finding', () => {
  test('is followed by its reason', () => {
    const drawing = stream('SELECT * FROM bots<|>');
    expect(told(drawing)).toContain('The schema of the source does not contain this table.');
    expect(told(drawing)).toContain('`unknown-table`\n\nThe stream stays empty until there is such a table.');
  });

  test('that is ignored is explained at its code', () => {
    const drawing =
      'config: { edition: 3 }\n# headwater-ignore unused<|>-cte\nwith: { a: SELECT id FROM b }\nstreams: {}\n';
    expect(place(drawing)).toBe('# headwater-ignore ⟦unused-cte⟧');
  });
});

test('Comments, blanks and foreign files have no hover', () => {
  expect(told('config:\n  # edit<|>ion\n  edition: 3\nstreams: {}\n')).toBe('');
  expect(told('=== powersync.yaml\napiVersion: v1\nkind: Service\nconfig<|>: 1\n')).toBe('');
});
