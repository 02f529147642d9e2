/**
 * The file of the storage becomes corrupt while the service is running: every client gets an answer, the log and the diagnostics
 * report the corruption, and the deployed config is copied again.
 */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../support/clients/sdk.ts';
import {
  postgresPrograms,
  startPostgres,
  superuser,
  type TestPostgres,
} from '../../support/processes/postgres.ts';
import type { ServiceProcess } from '../../support/processes/serviceProcess.ts';
import {
  adminToken,
  nowInSeconds,
  openStage,
  type Stage,
  syncConfig,
  tokenFrom,
  untilRows,
  type Visit,
  visit,
} from './stage.ts';

const pageSize = 16_384;

const damages: readonly (readonly [string, (file: string) => void, readonly string[]])[] = [
  ['every page but the first becomes zeros', (file) => zero(file, pageSize), []],
  ['the file becomes zeros, and workers serve the clients', (file) => zero(file, 0), ['--workers', '2']],
  ['the file loses all pages but the first', (file) => truncateSync(file, pageSize), []],
];

describe.skipIf(postgresPrograms.kind === 'missing')('when the storage becomes corrupt', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  test.each(damages)('clients get answers and then all rows if %s', async (_, damage, args) => {
    const stage = await openStage(postgres, { syncConfig: 'deployed' });
    onTestFinished(stage.close);
    const service = await startOnSmallLog(stage, args);
    const app = await openApp({ port: service.port, token: tokenFrom(nowInSeconds()) });
    const counted = 'SELECT count(*) AS n, max(name) AS last FROM lists';
    await app.until(counted, [{ n: 50, last: 'list 9' }]);

    // A new copy waits until this transaction ends, so that the test can read the diagnostics before the copy begins.
    const open = await openTransaction(postgres, stage);
    damage(join(stage.data, 'data.sqlite'));
    await stage.sql(`UPDATE lists SET name = 'zuletzt' WHERE id = 'l7'`);
    const answers: Visit[] = [];
    await expect
      .poll(async () => {
        answers.push(await visit(service.url));
        return (await diagnosis(service)) ?? '';
      })
      .toMatch(/SVC_S2403.*is corrupt/);
    // A connection can still break, because the service restarts.
    await expect
      .poll(async () => {
        answers.push(await visit(service.url));
        return answers.at(-1);
      })
      .toMatchObject({
        kind: 'refused',
        text: expect.stringContaining('Everything is being copied again'),
      });
    expect(answers.filter((answer) => answer.kind === 'broken' && answer.isLate)).toEqual([]);
    expect(service.output()).toMatch(/ error \[SVC_S2403\] The storage in .* is corrupt/);
    await open.commit();

    expect(await untilRows(service.url, 51)).toContain('new');
    await app.until(counted, [{ n: 51, last: 'zuletzt' }]);
    await stage.sql(`UPDATE lists SET name = 'zzz' WHERE id = 'l8'`);
    await app.until(counted, [{ n: 51, last: 'zzz' }]);
    expect(service.output()).not.toMatch(/uncaught|unhandled/i);
    expect(await service.stop()).toBe(0);
  });
});

/** Restarts the service after the copy, so that all rows are in the file, not in SQLite's log or in the memory of the process. */
async function startOnSmallLog(stage: Stage, args: readonly string[]): Promise<ServiceProcess> {
  const first = await stage.start();
  const deployed = await call(first, '/api/sync-rules/v1/deploy', { content: syncConfig });
  expect(deployed.status).toBe(200);
  await untilRows(first.url, 50);
  await first.stop();
  const service = await stage.start({ args });
  onTestFinished(service.kill);
  return service;
}

async function openTransaction(postgres: TestPostgres, { database }: Stage) {
  const client = new pg.Client({ host: '127.0.0.1', port: postgres.port, database, ...superuser });
  await client.connect();
  let isEnded = false;
  const end = async () => {
    if (!isEnded) await client.end();
    isEnded = true;
  };
  onTestFinished(end);
  await client.query(`BEGIN; INSERT INTO lists VALUES ('new', 'ada', 'new')`);
  return {
    commit: async () => {
      await client.query('COMMIT');
      await end();
    },
  };
}

function call({ url }: ServiceProcess, path: string, body: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
  return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Returns the diagnostics, or undefined while the service restarts. */
function diagnosis(service: ServiceProcess): Promise<string | undefined> {
  return call(service, '/api/admin/v1/diagnostics', {}).then(
    (response) => response.text(),
    () => undefined,
  );
}

function zero(file: string, from: number): void {
  writeFileSync(file, readFileSync(file).fill(0, from));
}
