/** Sends malformed requests to a service with a real PostgreSQL source. The service refuses them and continues to work. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patient } from '../../../scripts/run/patience.ts';
import { type Exchange, judgeAnswer } from '../../fuzz/answers.ts';
import { type FuzzedService, startFuzzedService } from '../../fuzz/service.ts';
import { openStream } from '../../support/clients/syncStream.ts';
import { postgresPrograms } from '../../support/processes/postgres.ts';
import { type Door, malformedRequests } from './malformed.ts';

/** The time limit in milliseconds, also while other tests are running. No request may delay the service. */
const patience = patient(20_000);
const atOnce = 40;
/**
 * The time in milliseconds in which an answer is expected. If the service takes longer, the test may miss a problem, but it does
 * not fail.
 */
const answeredWithin = patient(300);

describe.skipIf(postgresPrograms.kind === 'missing')('a malformed request', () => {
  let service: FuzzedService;
  beforeAll(async () => {
    service = await startFuzzedService();
  });
  afterAll(() => service?.stop());

  const doors = (): readonly Door[] => [
    { method: 'POST', path: '/sync/stream', token: service.userToken },
    { method: 'POST', path: '/sync/stream' },
    { method: 'POST', path: '/sync/checkpoint-request', token: service.userToken },
    { method: 'GET', path: '/write-checkpoint2.json', token: service.userToken },
    { method: 'POST', path: '/api/admin/v1/diagnostics', token: service.adminToken },
    { method: 'POST', path: '/api/sync-rules/v1/deploy', token: service.adminToken },
    { method: 'GET', path: '/probes/liveness' },
  ];

  test('is refused with a code or cut off, smuggles no second request, and does not affect the service', async () => {
    const requests = doors().flatMap(malformedRequests);
    const failures: string[] = [];
    const attempt = async ([name, bytes]: (typeof requests)[number]): Promise<void> => {
      const answer = await exchange(service.port, bytes);
      const problem = mayBeAnswered(name) && isAnsweredOnce(answer) ? undefined : problemIn(answer);
      if (problem !== undefined) failures.push(`${name}: ${problem}`);
    };
    for (let at = 0; at < requests.length; at += atOnce)
      await Promise.all(requests.slice(at, at + atOnce).map(attempt));

    expect(failures).toEqual([]);
    expect(requests.length).toBeGreaterThan(318);
    expect(service.complaints()).toEqual([]);
    const probe = await fetch(`http://127.0.0.1:${service.port}/probes/liveness`);
    expect(probe.status).toBe(200);
    const stream = await openStream(service.port, { token: service.userToken });
    await stream.until(({ client }) => client.rows.has('lists/l1'), 'the row');
    stream.close();
    expect(await service.leftovers()).toBeUndefined();
  });
});

/** Whether a request may be answered. A probe is answered after its headers, so a mistake in its body has no effect. */
function mayBeAnswered(name: string): boolean {
  return name.startsWith('GET /probes/liveness, length: ');
}

function isAnsweredOnce({ bytes }: Pick<Exchange, 'bytes'>): boolean {
  return statusesIn(bytes).join() === 'HTTP/1.1 200';
}

function statusesIn(bytes: Buffer): readonly string[] {
  return bytes.toString('latin1').match(/^HTTP\/1\.1 \d{3}/gm) ?? [];
}

function problemIn({ bytes, end, sent }: Omit<Exchange, 'hasToken'>): string | undefined {
  if (end === 'late') return 'the connection is still open';
  const answers = statusesIn(bytes);
  if (answers.length > 1) return `${answers.length} answers`;
  const [answer] = answers;
  if (answer !== undefined && !answer.startsWith('HTTP/1.1 4')) return answer;
  return judgeAnswer({ bytes, end, sent, hasToken: false }).failure;
}

/**
 * Sends the entire request, and ends the socket only later. Node abandons a request when its socket ends, so the service would
 * seem to cut off a request that it was about to accept.
 */
function exchange(port: number, request: Buffer): Promise<Omit<Exchange, 'hasToken'>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = (end: Exchange['end']) => () => {
      clearTimeout(late);
      socket.destroy();
      resolve({ bytes: Buffer.concat(chunks), end, sent: request.length });
    };
    const late = setTimeout(() => finish('late')(), patience);
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(request);
      setTimeout(() => socket.end(), answeredWithin);
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', finish('closed'));
  });
}
