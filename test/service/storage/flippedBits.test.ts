import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../server/service/ground/log.ts';
import { jsonOfChunk } from '../../../server/service/storage/chunks.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import type { NewLookup } from '../../../server/service/storage/storage.ts';
import { StorageFailure } from '../../../server/service/storage/storageFailure.ts';
import { activated, change, commit, compact, key, put, readAll, remove, writerOf } from './contract/rig.ts';

describe('a bit that the disk has flipped', () => {
  let folder: string;
  let original: Buffer;
  let rightAnswer: unknown;
  const file = () => join(folder, 'data.sqlite');
  const open = () => openEmbeddedStorage(folder, { log: silentLog });

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-flipped-'));
    const storage = await open();
    const { writer, deployment } = await activated(storage);
    for (let round = 0; round < 3; round += 1) {
      const rows = Array.from({ length: 60 }, (_, index) => {
        const buckets = [`1#b|0["${index % 3}"]`, '1#all|0[]'];
        const ops = buckets.map((bucket) => put(bucket, `row${index}`, textOf(index, round)));
        const lookups: NewLookup[] = [{ lookup: `["lookup",${index % 5}]`, values: [[`value ${index}`]] }];
        const current = change(index, ops).current;
        const values = new TextEncoder().encode(`kept of ${index} ${'k'.repeat(40)}`);
        return change(index, ops, {
          lookups,
          current: { memberships: [], ...current, values, lookups: [lookups[0]?.lookup ?? ''] },
        });
      });
      await writer.write({ rows });
      await commit(writer, 2 + round, deployment);
    }
    await writer.write({ rows: [change(3, [remove('1#all|0[]', 'row3')])] });
    await commit(writer, 9, deployment);
    await compact(storage, deployment);
    await storage.close();
    original = readFileSync(file());
    rightAnswer = await readEverything();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Reads rows of all kinds. */
  async function readEverything(): Promise<unknown> {
    const storage = await open();
    try {
      const reader = storage.reader(1);
      const { opId = 0 } = (await reader.checkpoint()) ?? {};
      const buckets = ['1#b|0["0"]', '1#b|0["1"]', '1#b|0["2"]', '1#all|0[]'];
      const chunks = await readAll(reader, opId, buckets);
      const lookups = [0, 1, 2, 3, 4].map((index) => `["lookup",${index}]`);
      const values = await reader.lookups(opId, lookups, 1000);
      const writer = await writerOf(storage, 1);
      const rows = await writer.currentRows(
        1,
        Array.from({ length: 60 }, (_, index) => key(index)),
      );
      return { texts: chunks.map(jsonOfChunk), values, rows };
    } finally {
      await storage.close();
    }
  }

  /** Returns the answer for a file with other content: the right one, or the kind of the failure. */
  async function answerOf(bytes: Buffer): Promise<string> {
    writeFileSync(file(), bytes);
    for (const rest of ['-wal', '-shm']) rmSync(`${file()}${rest}`, { force: true });
    try {
      expect(await readEverything()).toEqual(rightAnswer);
      return 'right';
    } catch (error) {
      if (error instanceof StorageFailure) return error.kind;
      throw error;
    }
  }

  /** The number of flipped bits. More than a third must be noticed, because about two thirds are in checked bytes. */
  const flips = 60;
  const mayBe = ['right', 'damaged', 'corrupt'];

  test('is noticed unless it changes nothing that is read, and wrong data is never served', async () => {
    // Stored texts of operations, states of rows, lookups and places, and the keys of rows.
    const stored = [
      ...[0, 7, 21, 59].map((index) => Buffer.from(JSON.stringify(textOf(index, 2)).slice(1, -1))),
      ...[5, 20, 40].map((index) => Buffer.from(`kept of ${index} ${'k'.repeat(40)}`)),
      ...[5, 20, 40].map((index) => Buffer.from(`["svalue ${index}"]`)),
      ...[0, 20].map((index) => Buffer.from(`\u0007todos${index < 10 ? '\u0006' : '\u0007'}row${index}`)),
      ...[6, 30].map((index) => Buffer.from(key(index).replaceAll('-', ''), 'hex')),
    ];
    const places = stored.flatMap((bytes) => {
      const found: { readonly at: number; readonly length: number }[] = [];
      for (let at = original.indexOf(bytes); at >= 0; at = original.indexOf(bytes, at + 1))
        found.push({ at, length: bytes.length });
      expect(found.length).toBeGreaterThan(0);
      return found;
    });
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(fc.nat(places.length - 1), fc.nat(), fc.nat(7), async (which, offset, bit) => {
        const { at, length } = places[which] as (typeof places)[number];
        const bytes = Buffer.from(original);
        const place = at + (offset % length);
        bytes[place] = (bytes[place] as number) ^ (1 << bit);
        const answer = await answerOf(bytes);
        seen.set(answer, (seen.get(answer) ?? 0) + 1);
        expect(mayBe).toContain(answer);
      }),
      { numRuns: flips },
    );
    expect(seen.get('damaged') ?? 0).toBeGreaterThan(flips / 3);
  });

  test.each([
    ['runs', 'json', `replace(json, 'row7', 'row8')`],
    ['runs', 'checksum', 'checksum + 1'],
    ['runs', 'heads', `CAST(x'01' || substr(heads, 2) AS BLOB)`],
    ['runs', 'count', 'count + 1'],
    ['runs', 'zstd', `CAST(substr(zstd, 1, 99) || x'00' || substr(zstd, 101) AS BLOB)`],
    ['runs', 'zstd', 'NULL'],
    ['runs', 'size', 'size + 1'],
    ['current_rows', 'packed', `CAST(replace(packed, 'row7', 'row8') AS BLOB)`],
    ['current_rows', 'packed', `CAST(substr(packed, 1, 1) || x'02' || substr(packed, 3) AS BLOB)`],
    ['current_rows', 'packed', 'NULL'],
    ['current_rows', 'row_values', `CAST(replace(row_values, 'kept', 'kepT') AS BLOB)`],
    ['lookups', 'result', `replace(result, 'value', 'valuf')`],
  ])('is noticed in %s.%s', async (table, column, changed) => {
    writeFileSync(file(), original);
    const database = new DatabaseSync(file());
    database.exec(`UPDATE ${table} SET ${column} = ${changed} WHERE ${column} IS NOT NULL`);
    database.close();
    await expect(readEverything()).rejects.toMatchObject({
      kind: 'damaged',
      message: expect.stringContaining('[SVC_S2403]'),
    });
  });

  test('is noticed in the name of a bucket', async () => {
    const name = Buffer.from('1#b|0["1"]');
    const answers = new Set<string>();
    for (let at = original.indexOf(name); at >= 0; at = original.indexOf(name, at + 1)) {
      const bytes = Buffer.from(original);
      bytes[at + 7] = (bytes[at + 7] as number) ^ 8;
      answers.add(await answerOf(bytes));
    }
    expect([...answers]).toEqual(['corrupt']);
  });

  test('is noticed in the name of a bucket while the storage is open, although rows have only the number of the bucket', async () => {
    const name = Buffer.from('1#b|0["1"]');
    const answers = new Set<string>();
    for (let at = original.indexOf(name); at >= 0; at = original.indexOf(name, at + 1)) {
      const bytes = Buffer.from(original);
      bytes[at + 7] = (bytes[at + 7] as number) ^ 8;
      writeFileSync(file(), original);
      const storage = await open();
      writeFileSync(file(), bytes);
      const rows = storage.stored(1).currentRows(1, [key(1)]);
      answers.add(
        await rows.then(
          ([row]) => row?.memberships[0]?.bucket ?? 'none',
          (error: unknown) => (error instanceof StorageFailure ? error.kind : String(error)),
        ),
      );
      await storage.close();
    }
    answers.delete('1#b|0["1"]');
    expect([...answers]).toEqual(['damaged']);
  });

  test('does not get a new checksum from compaction', async () => {
    writeFileSync(file(), original);
    const database = new DatabaseSync(file());
    database.exec(`UPDATE runs SET json = replace(json, 'row7', 'row8')`);
    database.close();
    const storage = await open();
    await expect(compact(storage, 1)).rejects.toMatchObject({ kind: 'damaged' });
    await storage.close();
  });

  test('cannot be noticed in rows of an earlier version, which are read without a checksum', async () => {
    writeFileSync(file(), original);
    const database = new DatabaseSync(file());
    for (const table of ['runs', 'current_rows', 'lookups'])
      database.exec(`UPDATE ${table} SET "check" = NULL`);
    database.close();
    expect(await readEverything()).toEqual(rightAnswer);
  });
});

function textOf(index: number, round: number): string {
  return JSON.stringify({ id: `row${index}`, text: `a text of row ${index} in round ${round}, "quoted"` });
}
