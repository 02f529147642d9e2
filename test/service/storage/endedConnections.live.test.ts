/** Ends the connections to a storage in PostgreSQL during a deploy, at each question to the server and in each way. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningService, startService } from '../../../server/service/assembly/service.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import { openDatabase, type Run } from '../../../server/service/storage/postgres/database.ts';
import { changeCertainly } from '../../../server/service/storage/postgres/deployments/certainChange.ts';
import {
  postgresPrograms,
  startPostgres,
  type TestPostgres,
  usualBatch,
} from '../../support/processes/postgres.ts';
import { adminToken, serviceSettings } from '../../support/service/serviceSettings.ts';

/** Every revision has to be copied. */
const configOf = (revision: number) => `
config: { edition: 3 }
streams:
  todos: { query: "SELECT id, ${revision} AS revision FROM todos" }
`;

type End = 'before the question arrives' | 'before the answer arrives' | 'by the server';

const ends: readonly End[] = ['before the question arrives', 'before the answer arrives', 'by the server'];

/** A limit that is higher than the number of questions of a deploy. */
const mostQuestions = 30;

describe.skipIf(postgresPrograms.kind === 'missing')('when a connection to the storage ends', () => {
  let folder: string;
  let postgres: TestPostgres;
  let database: string;
  let way: EndingWay;
  let service: RunningService;
  let revision = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headwater-'));
    postgres = await startPostgres();
    database = await postgres.createDatabase();
    way = await openWay(postgres);
    const connection = postgres.connection({ database });
    service = await startService(
      serviceSettings({
        role: 'api',
        connection,
        storage: { ...connection, port: way.port, type: 'postgresql', batch: usualBatch },
      }),
      folder,
      { clock: systemClock, log: silentLog, env: {}, fetch },
    );
  });
  afterAll(async () => {
    await service?.stop();
    await way?.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  });

  const deploy = async () => {
    revision += 1;
    const content = configOf(revision);
    const { status } = await fetch(`${service.url}/api/sync-rules/v1/deploy`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content }),
    });
    const sql = 'SELECT state FROM headwater.deployments WHERE content = $1';
    return { status, stored: await postgres.query(sql, [content], database) };
  };

  test.each(ends)('%s, a deploy is stored once and succeeds', async (end) => {
    const answers: unknown[] = [];
    let hasEnded = true;
    for (let question = 1; hasEnded && question < mostQuestions; question += 1) {
      way.endAt((_, n) => n === question, end);
      answers.push(await deploy());
      hasEnded = way.hasEnded();
    }
    expect(hasEnded).toBe(false);
    expect(answers.length).toBeGreaterThan(6);
    expect(answers).toEqual(answers.map(() => ({ status: 200, stored: [{ state: 'processing' }] })));
  });

  describe('at the last question of a change', () => {
    beforeAll(async () => {
      await postgres.query('CREATE TABLE changes (name text)', [], database);
    });

    const change = async (last: 'INSERT' | 'COMMIT', server: 'stays' | 'goes') => {
      const name = randomUUID();
      const lost = await openWay(postgres);
      const opened = openDatabase(postgres.connection({ database, port: lost.port }), {
        clock: systemClock,
      });
      lost.endAt(
        (sent) => sent.includes(last),
        'before the answer arrives',
        () => {
          if (server === 'goes') void lost.close();
        },
      );
      const wait = async (run: Run) => void (await run('SELECT pg_advisory_xact_lock(1)'));
      const work = async (run: Run) => void (await run('INSERT INTO changes VALUES ($1)', [name]));
      const changed = changeCertainly({ database: opened, clock: impatientClock(), wait }, work);
      const failure = await changed.catch((error: unknown) => error);
      await opened.close();
      await lost.close();
      const sql = 'SELECT count(*)::int AS stored FROM changes WHERE name = $1';
      const [counted] = await postgres.query(sql, [name], database);
      return { failure, ...counted };
    };

    test.each(['INSERT', 'COMMIT'] as const)('%s, the change is made once', async (last) => {
      expect(await change(last, 'stays')).toEqual({ failure: undefined, stored: 1 });
    });

    test('the failure reports that nothing was stored', async () => {
      expect(await change('INSERT', 'goes')).toMatchObject({
        failure: { kind: 'unreachable', answer: { code: 'SVC_S2402', status: 503 } },
        stored: 0,
      });
    });

    test('the failure reports that the outcome is unknown', async () => {
      expect(await change('COMMIT', 'goes')).toMatchObject({
        failure: { kind: 'unsure', answer: { code: 'SVC_S2402', status: 504 } },
        stored: 1,
      });
    });
  });
});

interface EndingWay {
  readonly port: number;
  /** Ends each matching connection at its first matching question from now on. Questions are counted from 1. */
  endAt(isMeant: (sent: string, question: number) => boolean, end: End, then?: () => void): void;
  hasEnded(): boolean;
  close(): Promise<void>;
}

/** Opens a proxy to PostgreSQL. Each question is sent in one piece, after the answer to the previous one. */
async function openWay(postgres: TestPostgres): Promise<EndingWay> {
  let isMeant: (sent: string, question: number) => boolean = () => false;
  let end: End = 'by the server';
  let then = (): void => {};
  let questions = 0;
  let hasEnded = false;
  const closing = new Set<() => void>();
  const targets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const target = connect({ port: postgres.port, host: '127.0.0.1', noDelay: true });
    const close = (): void => {
      client.destroy();
      target.destroy();
      closing.delete(close);
      targets.delete(target);
    };
    closing.add(close);
    targets.add(target);
    for (const socket of [client, target]) socket.on('error', close).on('close', close);
    let isLast = false;
    const finish = (): void => {
      close();
      then();
    };
    client.on('data', async (bytes) => {
      questions += 1;
      if (hasEnded || !isMeant(bytes.toString('latin1'), questions)) return void target.write(bytes);
      hasEnded = true;
      if (end === 'before the question arrives') return finish();
      isLast = end === 'before the answer arrives';
      if (end === 'by the server') await endAll(postgres, targets);
      target.write(bytes);
    });
    target.on('data', (bytes) => {
      if (isLast) finish();
      else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    endAt: (...order) => {
      [isMeant, end, then = () => {}] = order;
      questions = 0;
      hasEnded = false;
    },
    hasEnded: () => hasEnded,
    close: async () => {
      server.close();
      for (const each of [...closing]) each();
    },
  };
}

/** Ends only the connections through the proxy, because the test itself also reads the storage. */
async function endAll(postgres: TestPostgres, targets: Iterable<Socket>): Promise<void> {
  const ports = Array.from(targets, ({ localPort }) => localPort ?? 0);
  const sql = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_port = ANY ($1)';
  await postgres.query(sql, [ports]);
}

/** A clock on which time passes only during sleeps. */
function impatientClock() {
  let now = 0;
  return {
    ...systemClock,
    now: () => now,
    steady: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
}
