/** The clock of the machine jumps: no expired token is accepted, no row is lost, and nothing waits for the old time to return. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import type { ServiceProcess } from '../../support/processes/serviceProcess.ts';
import { nowInSeconds, openStage, type Stage, tokenFrom, untilRows, visit } from './stage.ts';

const hour = 3_600;
const day = 24 * hour;

/** The jumps, in seconds relative to the true time. */
const jumps: readonly (readonly [string, number])[] = [
  ['an hour ahead', hour],
  ['an hour behind', -hour],
  ['a month ahead', 30 * day],
  ['a year behind', -365 * day],
  ['ten years ahead', 3_650 * day],
  ['back to the true time', 0],
];

/** The time that the service needs to read the new shift, in milliseconds. */
const noticed = 200;

describe.skipIf(postgresPrograms.kind === 'missing')('when the clock jumps', () => {
  let postgres: TestPostgres;
  let stage: Stage;
  let service: ServiceProcess;
  let rows = 50;

  beforeAll(async () => {
    postgres = await startPostgres();
    stage = await openStage(postgres);
    const file = join(stage.folder, 'shift');
    writeFileSync(file, '0');
    const preload = pathToFileURL(join(import.meta.dirname, 'shiftedClock.mjs')).href;
    service = await stage.start({ env: { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT: file } });
    await untilRows(service.url, rows);
  });

  afterAll(async () => {
    await service?.kill();
    await stage?.close();
    await postgres?.stop();
  });

  test.each(jumps)('%s, changes arrive and expired tokens are refused', async (_, shift) => {
    writeFileSync(join(stage.folder, 'shift'), String(shift * 1_000));
    await systemClock.sleep(noticed);
    const seen = () => nowInSeconds() + shift;
    rows += 1;
    await stage.sql(`INSERT INTO lists VALUES ('j${rows}', 'ada', 'after a jump')`);
    expect(await untilRows(service.url, rows, { bearer: () => tokenFrom(seen()) })).toContain(`j${rows}`);
    expect(await visit(service.url, tokenFrom(seen() - 2 * hour))).toEqual({
      kind: 'refused',
      status: 401,
      text: expect.any(String),
    });
    expect(service.output()).not.toMatch(/uncaught|unhandled|TimeoutOverflowWarning/i);
  });
});
