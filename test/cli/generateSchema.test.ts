import { describe, expect, test } from 'vitest';
import { languages } from '../../client/clientSchema/languages.ts';
import { headwater } from '../support/cli/cliWorld.ts';

const files = {
  'sync.yaml': `config: { edition: 3 }
streams:
  a: { query: SELECT * FROM lists }
  b: { query: "SELECT id, count, count > 1 AS many, upper(name) AS loud, 1.5 AS half FROM other" }
  c: { query: SELECT * FROM gone }
`,
  'schema.sql': `create table lists (id uuid, name text, "order" integer, price real, photo bytea);
create table other (id uuid, name text, count integer);
`,
};

async function generate(...args: string[]) {
  return headwater(['generate', 'schema', '--schema', 'schema.sql', ...args], { files });
}

describe('the tables of clients', () => {
  test('have the columns of all queries with their types, without id and BLOBs', async () => {
    const { out } = await generate('--json');
    expect(JSON.parse(out.join('\n'))).toMatchObject({
      unknown: ['gone'],
      tables: [
        { name: 'gone', columns: [] },
        {
          name: 'lists',
          columns: [
            { name: 'name', type: 'text' },
            { name: 'order', type: 'integer' },
            { name: 'price', type: 'real' },
          ],
        },
        {
          name: 'other',
          columns: [
            { name: 'count', type: 'integer' },
            { name: 'many', type: 'integer' },
            { name: 'loud', type: 'text' },
            { name: 'half', type: 'real' },
          ],
        },
      ],
    });
  });

  test('of which nothing is known are named', async () => {
    expect((await generate()).err).toEqual([
      'The columns of gone are unknown. Specify its schema with --schema.',
    ]);
  });

  test('of definitions before edition 3 are the same', async () => {
    const old = { 'sync.yaml': 'bucket_definitions:\n  a:\n    data: [SELECT * FROM other]\n' };
    const { out } = await headwater(['generate', 'schema', '--json', '--schema', 'schema.sql'], {
      files: { ...files, ...old },
    });
    expect(JSON.parse(out.join('\n'))).toMatchObject({ tables: [{ name: 'other' }] });
  });

  test('are not made of a config with an error, in which some would be missing', async () => {
    const wrong = { 'sync.yaml': `${files['sync.yaml']}  d: { query: SELECT FROM }\n` };
    expect(await headwater(['generate', 'schema'], { files: wrong })).toMatchObject({
      code: 1,
      err: ['sync.yaml has errors. See headwater validate sync.yaml.'],
    });
  });

  test('that are none are an error', async () => {
    expect(
      await headwater(['generate', 'schema'], { files: { 'sync.yaml': 'streams: {}\n' } }),
    ).toMatchObject({
      code: 1,
      err: ['sync.yaml defines no tables.'],
    });
  });
});

test.each(Object.keys(languages))('%s', async (language) => {
  expect((await generate('--output', language)).out.join('\n')).toMatchSnapshot();
});

test('a file is written on request', async () => {
  const { out, files: after } = await generate('--output-path', 'AppSchema.ts');
  expect(out).toEqual(['Wrote AppSchema.ts.']);
  expect(after['AppSchema.ts']).toContain('export const AppSchema = new Schema({');
});

test('JavaScript imports from the SDK that the client has', async () => {
  const { out } = await generate('--output', 'js', '--package', '@powersync/node');
  expect(out.join('\n')).toMatch(/^import { column, Schema, Table } from '@powersync\/node';\n/);
  expect((await generate('--package', "x';import'y")).code).toBe(2);
});
