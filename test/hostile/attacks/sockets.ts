/** Attacks with sockets that send nothing or almost nothing, and with sockets that read slowly. */
import type { ApiParts } from '../../../server/service/api/parts.ts';
import type { RouteParts } from '../../../server/service/sync/http.ts';
import { clientToken } from '../../support/clients/clientAuth.ts';
import { startIdleCrowds } from '../idleCrowds.ts';
import {
  type Attack,
  type Attacking,
  aborted,
  crowd,
  get,
  holdOpen,
  mostSockets,
  openSocket,
  pause,
  post,
  type Target,
} from './attack.ts';

const adminToken = 'admin-token-of-the-test';
const admin = `Authorization: Bearer ${adminToken}\r\n`;

const watching = ['events', 'history', 'timeline', 'clients', 'largest', 'deployments'];
/** These routes slow or end the streams of clients, which admins may do, so they are attacked only with a wrong token. */
const demanding = /\/(deploy|reprocess|copy|compact|verify|apply-migrations|reset-database|write-row)$/;

const idle: Attack['run'] = (target, attacking) =>
  crowd(3_000, attacking, () => holdOpen(openSocket(target, ''), attacking));

export const socketAttacks = {
  'idle-sockets': { enough: 3_000, run: idle },
  'idle-sockets-with-256-handles': { enough: 3_000, run: idle, needs: { handles: 256 } },
  // Even without `--sockets`, these are many times more than the service has room for. It closes the oldest, which connect again.
  'more-idle-sockets-than-room': {
    enough: 6_000,
    run: (...call) => crowdsOf('', ...call),
    needs: { fillsQueue: true },
  },
  'a-byte-an-hour': {
    enough: 6_000,
    run: (...call) => crowdsOf('G', ...call),
    needs: { fillsQueue: true },
  },
  'slow-readers': {
    enough: 100,
    run: async (target, attacking) => {
      const token = await clientToken('user1');
      const requests = [
        get('/console/console.js').repeat(30),
        get('/metrics').repeat(30),
        get('/probes/readiness').repeat(30),
        post('/api/admin/v1/diagnostics', '{}', 'wrong').repeat(30),
        post('/api/admin/v1/diagnostics', '{}').replace('Content-Type', `${admin}Content-Type`),
        post('/api/admin/v1/events', '{}').replace('Content-Type', `${admin}Content-Type`),
        get('/write-checkpoint2.json', `Authorization: Bearer ${token}\r\n`).repeat(30),
        post('/sync/stream', '{"raw_data":true}', token),
      ];
      await Promise.all(
        requests.map((request) => crowd(15, attacking, () => readSlowly(target, request, attacking))),
      );
    },
  },
  'slow-readers-of-each-route': {
    enough: 200,
    run: async (target, attacking) => {
      const requests = await requestsOfEachRoute(await clientToken('user1'));
      await Promise.all(
        requests.map(async (request, index) => {
          // The requests start one after the other, so that the work of all routes does not fall into one moment.
          await Promise.race([pause(index * 150), aborted(attacking.signal)]);
          await crowd(2, attacking, () => readSlowly(target, request, attacking));
        }),
      );
    },
  },
} as const satisfies Record<string, Attack>;

/** Returns for each route many requests with a wrong token on one socket, and one request with a valid token if that is allowed. */
async function requestsOfEachRoute(userToken: string): Promise<readonly string[]> {
  // The other attacks do not load the routes, which import half of the service, because each attack has its own process.
  const { apiRoutes } = await import('../../../server/service/assembly/routes.ts');
  const { syncRoutes } = await import('../../../server/service/sync/http.ts');
  const table = [...apiRoutes({} as ApiParts), ...syncRoutes({} as RouteParts)];
  const routes = [
    ...table.map(({ method, path, access }) => ({ method, path, isAdmins: access === 'admin' })),
    ...watching.map((name) => ({ method: 'POST', path: `/api/admin/v1/${name}`, isAdmins: true })),
  ];
  return routes.flatMap(({ method, path, isAdmins }) => {
    const request = (token: string): string =>
      method === 'GET' ? get(path, `Authorization: Bearer ${token}\r\n`) : post(path, '{}', token);
    const allowed = demanding.test(path) ? [] : [request(isAdmins ? adminToken : userToken)];
    return [request('wrong').repeat(30), ...allowed];
  });
}

async function crowdsOf(bytes: string, target: Target, attacking: Attacking): Promise<void> {
  const here = Math.min(target.sockets, mostSockets(), 5_000);
  const others = startIdleCrowds(
    { port: target.port, sockets: target.sockets - here, each: mostSockets(), bytes },
    attacking.count,
  );
  await Promise.all([
    crowd(here, attacking, () => holdOpen(openSocket(target, bytes), attacking)),
    aborted(attacking.signal).then(others.end),
  ]);
}

/** Reads one byte of the answer each second, for ten seconds. */
async function readSlowly(target: Target, request: string, attacking: Attacking): Promise<void> {
  const socket = openSocket(target, request).pause();
  let seconds = 0;
  await holdOpen(socket, attacking, () => {
    socket.read(1);
    seconds += 1;
    if (seconds === 10) socket.destroy();
  });
}
