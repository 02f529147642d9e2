/** Twelve ways to damage the files of a storage: the service says so, or all is as it was. It never serves anything else. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import { runService, startServiceProcess } from '../../support/processes/serviceProcess.ts';
import { openStage, type Stage, untilRows, visit } from './stage.ts';

type Damage = (data: string) => void;

const inFile =
  (name: string, change: (file: string, size: number) => void): Damage =>
  (data) => {
    const file = join(data, name);
    if (!existsSync(file)) writeFileSync(file, '');
    change(file, statSync(file).size);
  };

const fill = (from: number, to: number) => (file: string, size: number) => {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, Math.floor(size * from), Math.ceil(size * to));
  writeFileSync(file, bytes);
};

function toFolder(file: string): void {
  rmSync(file);
  mkdirSync(file);
}

const main = 'data.sqlite';
const log = 'data.sqlite-wal';

const damages: readonly (readonly [string, Damage])[] = [
  ['the file is empty', inFile(main, (file) => writeFileSync(file, ''))],
  ['the file is a text', inFile(main, (file) => writeFileSync(file, 'not a database\n'.repeat(5_000)))],
  ['the file is a folder', inFile(main, toFolder)],
  ['the file has only its first page', inFile(main, (file) => truncateSync(file, 16_384))],
  ['the file lost its second half', inFile(main, (file, size) => truncateSync(file, size >> 1))],
  ['the file lost its last byte', inFile(main, (file, size) => truncateSync(file, size - 1))],
  ['its head is overwritten', inFile(main, fill(0, 0.01))],
  ['its first tenth is overwritten', inFile(main, fill(0.02, 0.1))],
  ['its second half is overwritten', inFile(main, fill(0.5, 1))],
  ['there is a strange log beside it', inFile(log, (file) => writeFileSync(file, Buffer.alloc(100_000, 7)))],
  [
    'there is a strange index of a log',
    inFile('data.sqlite-shm', (file) => writeFileSync(file, Buffer.alloc(32_768, 9))),
  ],
  ['all of it is gone', (data) => rmSync(data, { recursive: true })],
];

describe.skipIf(postgresPrograms.kind === 'missing')('when', () => {
  let postgres: TestPostgres;
  let stage: Stage;
  let sound: readonly string[];

  beforeAll(async () => {
    postgres = await startPostgres();
    stage = await openStage(postgres);
    const service = await stage.start();
    sound = await untilRows(service.url, 50);
    await service.stop();
    cpSync(stage.data, `${stage.data}.sound`, { recursive: true });
  });

  afterAll(async () => {
    await stage?.close();
    await postgres?.stop();
  });

  test.each(damages)('%s, that is said, or every row is there', async (_, damage) => {
    rmSync(stage.data, { recursive: true, force: true });
    cpSync(`${stage.data}.sound`, stage.data, { recursive: true });
    damage(stage.data);
    const outcome = await serveAgain();
    expect(outcome.output).not.toMatch(/uncaught|unhandled/i);
    if (outcome.kind === 'served') expect(outcome.ids).toEqual(sound);
    else expect(outcome.output).toContain(stage.data);
  });

  /** It ends by itself with a sentence, or serves; what it cannot read it may refuse to serve. */
  async function serveAgain() {
    const checked = await startServiceProcess(stage.config).catch(() => undefined);
    if (checked === undefined) {
      const { code, output } = await runService(['start', '-c', stage.config], { killAfter: 10_000 });
      expect(code).toBeGreaterThan(0);
      return { kind: 'refused', output } as const;
    }
    try {
      for (let tries = 0; tries < 50; tries += 1) {
        const seen = await visit(checked.url);
        if (seen.kind === 'rows' && seen.ids.length === sound.length)
          return { kind: 'served', ids: seen.ids, output: checked.output() } as const;
        if (/damaged/.test(checked.output())) return { kind: 'told', output: checked.output() } as const;
        await systemClock.sleep(200);
      }
      throw new Error(`Neither all rows nor a word about it:\n${checked.output()}`);
    } finally {
      await checked.kill();
    }
  }
});
