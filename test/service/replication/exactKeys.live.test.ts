/** Rows whose keys look the same in configs stay apart, in copies and in changes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toKeyOf } from '../../../server/service/replication/rows/identity.ts';
import { copied, follow, neverAborted, options, type TestDatabase } from './postgres/support.ts';
import { sources } from './sources.ts';

const precise = ['2024-01-01 00:00:00.000001', '2024-01-01 00:00:00.000002'];
const old = ['0044-03-15 12:00:00 BC', '0045-03-15 12:00:00 BC'];
const late = ['9999-12-31 23:59:59', 'infinity'];

/** Types with pairs of different keys. */
const pairs: readonly (readonly [type: string, first: string, second: string])[] = [
  ...['timestamp', 'timestamptz', 'moment'].flatMap((type) =>
    [precise, old, late].map(([first = '', second = '']) => [type, first, second] as const),
  ),
  ['time', '12:00:00.000001', '12:00:00.000002'],
  ['date', '9999-12-31', 'infinity'],
  ['timestamp[]', `{"${precise[0]}"}`, `{"${precise[1]}"}`],
  ['tsrange', `["${precise[0]}",)`, `["${precise[1]}",)`],
  ['float8[]', '{NaN}', '{Infinity}'],
  ['bytea[]', '{"\\\\x01"}', '{"\\\\x02"}'],
];

describe.each(sources)('%s', (kind, open) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open('CREATE DOMAIN moment AS timestamp');
  });
  afterAll(() => database?.close());

  test.each(pairs)('distinguishes keys of the type %s: %s and %s', async (type, first, second) => {
    const at = pairs.findIndex((pair) => pair[0] === type && pair[1] === first);
    const table = `t${at}`;
    await database.sql(`CREATE TABLE ${table} (part int, key ${type}, PRIMARY KEY (part, key));
      INSERT INTO ${table} VALUES (1, '${first}'), (1, '${second}')`);
    const choices = { slot: `keys_${at}`, options: { ...options, timestampMaxPrecision: 'milliseconds' } };
    const stream = database.stream(choices as Parameters<TestDatabase['stream']>[0]);
    await stream.prepare(neverAborted);
    const info = await database.table(table);
    const keyOf = toKeyOf(info);
    const rows = (await copied(stream, info)).flatMap((page) => page.rows);
    const keys = rows.map(keyOf);
    expect(new Set(keys).size).toBe(2);
    const follower = follow(database.source, stream);
    await database.sql(`UPDATE ${table} SET part = 2; DELETE FROM ${table}`);
    const events = await follower.settled();
    await follower.stop();
    const former = events.flatMap((event) =>
      event.kind === 'update' && event.old ? [keyOf(event.old)] : [],
    );
    expect(former.toSorted(), kind).toEqual(keys.toSorted());
    const gone = events.flatMap((event) => (event.kind === 'delete' ? [keyOf(event.old)] : []));
    const moved = events.flatMap((event) => (event.kind === 'update' ? [keyOf(event.row.values)] : []));
    expect(gone.toSorted()).toEqual(moved.toSorted());
    expect(new Set([...gone, ...keys]).size).toBe(4);
  });
});
