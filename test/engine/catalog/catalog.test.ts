import Ajv2020 from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import schema from '../../../schemas/catalog.schema.json' with { type: 'json' };
import { readServiceSchema } from '../../../server/engine/catalog/serviceSchema.ts';
import { readSnapshot, writeSnapshot } from '../../../server/engine/catalog/snapshot.ts';
import { analyze } from '../../../server/engine/index.ts';

const answer = {
  data: {
    connections: [
      {
        id: 'default',
        tag: 'default',
        schemas: [
          {
            name: 'app',
            tables: [
              {
                name: 'lists',
                columns: [
                  { name: 'id', sqlite_type: 2, internal_type: 'uuid', type: 'uuid', pg_type: 'uuid' },
                  { name: 'size', sqlite_type: 'real', internal_type: 'double precision' },
                  { name: 'any', sqlite_type: 14, internal_type: 'anything' },
                  { name: 'never', sqlite_type: 'null' },
                  { name: 'owner', references: { schema: 'auth', table: 'users', column: 'id' } },
                  { name: 'broken', references: { schema: 'auth', table: 7 } },
                ],
              },
            ],
          },
        ],
      },
    ],
    defaultConnectionTag: 'default',
    defaultSchema: 'app',
  },
};

const columns = [
  { name: 'id', type: 'text', sourceType: 'uuid' },
  { name: 'size', type: 'real', sourceType: 'double precision' },
  { name: 'any', sourceType: 'anything' },
  { name: 'never' },
  { name: 'owner', references: { schema: 'auth', table: 'users', column: 'id' } },
  { name: 'broken' },
];

describe('The schema that a service returns', () => {
  test('is read with types as numbers and as names', () => {
    const source = readServiceSchema(answer);
    expect(source?.defaultSchema).toBe('app');
    expect(source?.catalog.tables.map(({ name, schema }) => [schema, name])).toEqual([['app', 'lists']]);
    expect([...(source?.catalog.tables[0]?.columns.values() ?? [])]).toEqual(columns);
  });

  test('is the same with or without its envelope', () => {
    expect(readServiceSchema(answer.data)).toEqual(readServiceSchema(answer));
  });

  test.each([null, 5, 'x', [], {}, { data: null }, { data: { connections: 7 } }])(
    'cannot be read from %j',
    (value) => {
      expect(readServiceSchema(value)).toBeUndefined();
    },
  );

  test('is read without its malformed parts', () => {
    const connections = [
      null,
      { schemas: [{ name: 'a', tables: [{}, { name: 't', columns: [3, { name: '' }] }] }] },
    ];
    expect(readServiceSchema({ connections })?.catalog.tables).toEqual([
      { tag: 'default', schema: 'a', name: 't', columns: new Map(), areRulesUnknown: true },
    ]);
  });
});

describe('A snapshot', () => {
  test('preserves the schema that was written', () => {
    const source = readServiceSchema(answer);
    if (!source) throw new Error('not read');
    const written = writeSnapshot(source, '2025-01-31T10:00:00Z');
    expect(readSnapshot(written)).toEqual(source);
    const ajv = new Ajv2020();
    expect(ajv.validate(schema, JSON.parse(written)), JSON.stringify(ajv.errors)).toBe(true);
  });

  test('excludes views that are not replicated, because it would list them as tables', () => {
    const columns = [{ name: 'id', sqlite_type: 2 }];
    const source = readServiceSchema({
      connections: [
        {
          schemas: [
            {
              name: 'public',
              tables: [{ name: 'lists', columns }],
              not_replicated: [{ name: 'v', form: 'view', columns }],
            },
          ],
        },
      ],
    });
    expect(source?.catalog.tables.map(({ name, form }) => [name, form])).toEqual([
      ['lists', undefined],
      ['v', 'view'],
    ]);
    const written = source && readSnapshot(writeSnapshot(source, ''));
    expect(written?.catalog.tables.map(({ name }) => name)).toEqual(['lists']);
  });

  test.each(['', '{', '[]', '{"tables": 5}', 'null'])('cannot be read from %j', (text) => {
    expect(readSnapshot(text)).toBeUndefined();
  });

  test('uses the defaults of its JSON schema for missing fields', () => {
    const source = readSnapshot('{"tables": [{"name": "a", "columns": [{"name": "id", "type": "uuid"}]}]}');
    expect(source).toMatchObject({
      defaultSchema: 'public',
      catalog: { tables: [{ tag: 'default', schema: 'public', columns: new Map([['id', { name: 'id' }]]) }] },
    });
  });
});

test('A table with unknown columns accepts any column', () => {
  const catalog = {
    version: '1',
    tables: [{ tag: 'default', schema: 'public', name: 'a', columns: new Map(), open: true }],
  };
  const codes = (query: string, head = 'config: { edition: 3 }\nstreams:\n  s:\n    query: ') =>
    analyze(`${head}${query}\n`, { catalog, kind: 'sync' }).findings.map(({ code }) => code);
  expect(codes('SELECT id AS id, x AS x FROM a')).toEqual([]);
  expect(codes('SELECT id AS id FROM b')).toEqual(['unknown-table']);
  const definition = 'bucket_definitions:\n  s:\n    data:\n      - ';
  expect(codes('SELECT id, x FROM a', definition)).toEqual([]);
});
