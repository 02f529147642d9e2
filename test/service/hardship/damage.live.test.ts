/** Twelve ways to damage the files of a storage. The service serves every row and reports any corruption, or refuses to start. */
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
import { postgresPrograms, startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import { runService } from '../../support/processes/serviceProcess.ts';
import { openStage, type Stage, untilRows } from './stage.ts';

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

/** `noted`: the log reports a corrupt storage. `unknown`: the log may report it, because the lost byte may have been unused. */
type Outcome = 'noted' | 'unknown' | 'as before' | 'refused';

const damages: readonly (readonly [string, Outcome, Damage])[] = [
  ['the file is empty', 'noted', inFile(main, (file) => writeFileSync(file, ''))],
  [
    'the file is a text file',
    'noted',
    inFile(main, (file) => writeFileSync(file, 'not a database\n'.repeat(5_000))),
  ],
  ['the file is a folder', 'refused', inFile(main, toFolder)],
  ['the file has only its first page', 'noted', inFile(main, (file) => truncateSync(file, 16_384))],
  ['the file lost its second half', 'noted', inFile(main, (file, size) => truncateSync(file, size >> 1))],
  ['the file lost its last byte', 'unknown', inFile(main, (file, size) => truncateSync(file, size - 1))],
  ['its head is overwritten', 'noted', inFile(main, fill(0, 0.01))],
  ['its first tenth is overwritten', 'noted', inFile(main, fill(0.02, 0.1))],
  ['its second half is overwritten', 'noted', inFile(main, fill(0.5, 1))],
  [
    'there is a foreign log next to the file',
    'as before',
    inFile(log, (file) => writeFileSync(file, Buffer.alloc(100_000, 7))),
  ],
  [
    'there is a foreign index of a log',
    'as before',
    inFile('data.sqlite-shm', (file) => writeFileSync(file, Buffer.alloc(32_768, 9))),
  ],
  ['the whole folder is gone', 'as before', (data) => rmSync(data, { recursive: true })],
];

describe.skipIf(postgresPrograms.kind === 'missing')('when the storage is damaged', () => {
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

  test.each(damages)('if %s, the outcome is: %s', async (_, outcome, damage) => {
    rmSync(stage.data, { recursive: true, force: true });
    cpSync(`${stage.data}.sound`, stage.data, { recursive: true });
    damage(stage.data);
    const output = outcome === 'refused' ? await refusal() : await served();
    expect(output).not.toMatch(/uncaught|unhandled/i);
    if (outcome === 'refused') expect(output).toContain(stage.data);
    else if (outcome !== 'unknown') expect(/\[SVC_S2403\].*corrupt/.test(output)).toBe(outcome === 'noted');
  });

  async function refusal(): Promise<string> {
    const { code, output } = await runService(['start', '-c', stage.config], { killAfter: 10_000 });
    expect(code).toBeGreaterThan(0);
    return output;
  }

  async function served(): Promise<string> {
    const service = await stage.start();
    try {
      expect(await untilRows(service.url, 50)).toEqual(sound);
      return service.output();
    } finally {
      await service.kill();
    }
  }
});
