import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../server/service/ground/log.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import type { Storage } from '../../../server/service/storage/storage.ts';
import { activated, change, commit, compact, deploy, linesOf, put, readAll, todos } from './contract/rig.ts';

describe('clearing and compaction of the embedded storage', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-clearing-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const open = () => openEmbeddedStorage(folder, { log: silentLog });

  const fill = async (storage: Storage, rows: number, idOf: (number: number) => number) => {
    const { writer, deployment } = await activated(storage);
    const { id: table } = await writer.putTable(todos);
    for (let start = 0; start < rows; start += 1_000) {
      const some = Array.from({ length: 1_000 }, (_, index) => {
        const number = idOf(start + index);
        return change(number, [put('a', `${number}`)], { table });
      });
      await writer.write({ rows: some, goesOn: true });
    }
    const { checkpoint } = await commit(writer, 2, deployment);
    return { deployment, writer, table, checkpoint: checkpoint?.opId ?? 0 };
  };
  /** Changes of an active deployment without a rest until the work is done; returns how many. */
  const changeDuring = async (
    storage: Storage,
    { writer, deployment }: Pick<Awaited<ReturnType<typeof activated>>, 'writer' | 'deployment'>,
    work: Promise<unknown>,
  ): Promise<number> => {
    const reader = storage.reader(deployment);
    const { id: table } = await writer.putTable(todos);
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    let count = 0;
    for (; !isDone; count += 1) {
      await writer.write({ rows: [change(1, [put('news', `${count}`)], { table })], goesOn: true });
      const { checkpoint } = await commit(writer, count + 10, deployment);
      await reader.read(checkpoint?.opId ?? 0, [{ bucket: 'news', after: 0 }]);
      await setTimeout(1);
    }
    await done;
    const { opId = 0 } = (await reader.checkpoint()) ?? {};
    expect(linesOf(await readAll(reader, opId, ['news']))).toHaveLength(count);
    return count;
  };

  test('clearing ends while changes come all the time, and leaves nothing', async () => {
    const storage = await open();
    const { writer, deployment } = await fill(storage, 10_000, (number) => number);
    await writer.release();
    const clearing = storage.clear(deployment, new AbortController().signal);
    const changes = await changeDuring(storage, await activated(storage), clearing);
    expect(changes).toBeGreaterThan(0);
    expect(await storage.countRows(deployment, 1)).toEqual([]);
    expect(await storage.countBuckets(deployment, 1)).toEqual(new Map());
    await storage.close();
  });

  test('compaction ends while changes come all the time, and means the same', async () => {
    const storage = await open();
    const { writer, deployment, checkpoint } = await fill(storage, 10_000, (number) => number % 1_000);
    const reader = storage.reader(deployment);
    const latest = new Map(
      linesOf(await readAll(reader, checkpoint, ['a'])).map((line) => [line.object_id, line.op_id]),
    );
    const [before] = await reader.checksums(checkpoint, ['a']);
    const compacting = compact(storage, deployment);
    await changeDuring(storage, { writer, deployment }, compacting);
    expect(await compacting).toMatchObject({ moved: 9_000 });
    const lines = linesOf(await readAll(reader, checkpoint, ['a']));
    const puts = lines.filter(({ op }) => op === 'PUT').map((line) => [line.object_id, line.op_id] as const);
    expect(new Map(puts)).toEqual(latest);
    expect(lines.reduce((sum, line) => (sum + line.checksum) | 0, 0)).toBe(before?.checksum);
    await storage.close();
  });

  test('rows are found wherever they are between those of others', async () => {
    const storage = await open();
    const first = await fill(storage, 1_000, (number) => number);
    const rare = await deploy(storage, 'rare');
    const writer = await storage.writer(rare);
    const table = await writer?.putTable(todos);
    const writeRare = (number: number) =>
      writer?.write({ rows: [change(number, [put('b', `${number}`)], { table: table?.id ?? 0 })] });
    await writeRare(1);
    const second = await fill(storage, 3_000, (number) => number);
    await writeRare(2);
    await storage.clear(rare, new AbortController().signal);
    expect(await storage.countRows(rare, 1)).toEqual([]);
    for (const [{ deployment }, rows] of [[first, 1_000] as const, [second, 3_000] as const])
      expect(await storage.countRows(deployment, rows)).toMatchObject([{ rows }]);
    await storage.clear(first.deployment, new AbortController().signal);
    expect(await storage.countRows(second.deployment, 3_000)).toMatchObject([{ rows: 3_000 }]);
    await storage.close();
    const file = new DatabaseSync(join(folder, 'data.sqlite'));
    expect(file.prepare('SELECT count(*) AS rows FROM current_rows').get()).toEqual({ rows: 3_000 });
    file.close();
  });

  test('a process that is killed again and again while it clears has cleared all in the end, and nothing else', async () => {
    const script = join(import.meta.dirname, 'clearingProcess.ts');
    const quiet = '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON';
    let isCleared = false;
    for (let round = 0; !isCleared; round += 1) {
      const child = spawn(process.execPath, [quiet, script, folder], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      for await (const line of createInterface({ input: child.stdout })) {
        isCleared = line === 'cleared';
        // Somewhere in what it does then.
        if (line === 'begun' && round < 8) void setTimeout(5 * round).then(() => child.kill('SIGKILL'));
      }
      await gone;
    }
    const storage = await open();
    const reader = storage.reader(2);
    const { opId = 0 } = (await reader.checkpoint()) ?? {};
    const buckets = Array.from({ length: 10 }, (_, number) => `bucket ${number}`);
    expect(linesOf(await readAll(reader, opId, buckets))).toHaveLength(300);
    expect(await storage.countRows(2, 300)).toMatchObject([{ rows: 300 }]);
    expect(await storage.countBuckets(1, 1)).toEqual(new Map());
    await storage.close();
    const file = new DatabaseSync(join(folder, 'data.sqlite'));
    expect(file.prepare('SELECT count(*) AS rows FROM current_rows').get()).toEqual({ rows: 300 });
    expect(file.prepare('SELECT count(DISTINCT bucket) AS buckets FROM runs').get()).toEqual({ buckets: 10 });
    expect(file.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    file.close();
  });
});
