/** A real service with little memory and few handles, clients with a token that are connected to it, and a probe. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { memoryVariables } from '../../client/project/childProcess.ts';
import { openPostgres } from '../consistency/source.ts';
import { clientAuth, clientToken, longLivedAuth } from '../support/clients/clientAuth.ts';
import { openStream } from '../support/clients/syncStream.ts';
import { freePort } from '../support/processes/freePort.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/serviceProcess.ts';
import { type Needs, pause } from './attacks/attack.ts';
import { endOf, last, messageOf, type Priority, startBeside, usual } from './beside.ts';
import { connectHonest, type HonestClients } from './honest.ts';
import type { Probing } from './prober.ts';
import type { Complain, Complaint } from './report.ts';

export interface Arena {
  readonly service: ServiceProcess;
  readonly database: pg.Client;
  readonly honest: HonestClients;
  readonly prober: ChildProcess;
  /** The file with the milliseconds by which the service's clock is ahead, if its clock is set. */
  readonly clock: string;
  /** Returns the complaints since the last call. */
  takeComplaints(): readonly Complaint[];
  complain: Complain;
  close(): Promise<void>;
}

/** The limit of the service's heap, in MB. */
const heap = 512;
/** The hard limit of its file handles. It is higher if the attack needs many clients. */
const usualHandles = 1_024;
const handlesOf = ({ handles = usualHandles, clients = 0 }: Needs): number =>
  clients > 400 ? clients + usualHandles : handles;

/** Milliseconds between two probes whose times are judged: a minute has more than 2,000, so some 20 are above the 99th percentile. */
const judgedEvery = 25;

const admin = 'admin-token-of-the-test';

/** @param priority of the service and of the processes that measure it. Raise it only if times matter, because others then wait. */
export async function openArena(needs: Needs = {}, priority: Priority = usual): Promise<Arena> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-hostile-'));
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    return { ...(await openParts({ needs, folder, closing, priority })), close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Opening {
  readonly needs: Needs;
  readonly folder: string;
  readonly closing: (() => unknown)[];
  readonly priority: Priority;
}

async function openParts({ needs, folder, closing, priority }: Opening): Promise<Omit<Arena, 'close'>> {
  const complaints: Complaint[] = [];
  const complain: Complain = (criterion, sentence) => void complaints.push({ criterion, sentence });
  const source = await openPostgres();
  closing.push(() => source.stop());
  const database = await source.client();
  closing.push(() => database.end());
  await database.query(rows);
  const keySets = startBeside('./keySets.ts', {}, last);
  closing.push(() => endOf(keySets));
  const { port: keySetPort } = await messageOf<Listening>(keySets, 'listening');
  const clock = join(folder, 'clock');
  writeFileSync(clock, '0');
  const metricsPort = await freePort();
  const config = configOf({ folder, connection: source.connection, keySetPort, metricsPort, needs });
  const service = await startServiceProcess(config, {
    runner: priority,
    within: `ulimit -n ${handlesOf(needs)}`,
    env: {
      // `headwater serve` passes the same variables.
      ...memoryVariables,
      NODE_OPTIONS: [
        `--max-old-space-size=${heap}`,
        ...(needs.clock ? [`--import=${shiftedClock}`] : []),
      ].join(' '),
      CLOCK_SHIFT: clock,
    },
  });
  closing.push(() => service.kill());
  let isOver = false;
  closing.push(() => {
    isOver = true;
  });
  void service.ended.then((code) => {
    if (!isOver)
      complain('process', `The service ended with code ${code}:\n${service.output().slice(-2_000)}`);
  });
  await deploy(service);
  const honest = await connectHonest(service.port, (complaint) => {
    if (!isOver) complain('clients', complaint);
  });
  closing.push(honest.close);
  const probedPort = needs.fillsQueue ? metricsPort : service.port;
  const urls = [`http://127.0.0.1:${probedPort}/probes/liveness`];
  // Times are judged only with a raised priority. Without judgement, there is nothing to compare with an idle server.
  if (priority !== usual) {
    const yardstick = startBeside('./yardstick.ts', {}, priority);
    closing.push(() => endOf(yardstick));
    const { port: idlePort } = await messageOf<Listening>(yardstick, 'listening');
    urls.push(`http://127.0.0.1:${idlePort}/`);
  }
  const probing: Probing = { urls, every: priority === usual ? 100 : judgedEvery };
  const prober = startBeside('./prober.ts', probing, priority);
  closing.push(() => endOf(prober));
  prober.on('message', ({ complaint }: { readonly complaint?: string }) => {
    if (complaint !== undefined && !isOver) complain('probe', complaint);
  });
  await messageOf(prober, 'ready');
  return { service, database, honest, prober, clock, complain, takeComplaints: () => complaints.splice(0) };
}

interface Listening {
  readonly port: number;
}

const shiftedClock = pathToFileURL(join(import.meta.dirname, '../service/hardship/shiftedClock.mjs')).href;

interface ConfigParts {
  readonly folder: string;
  readonly connection: string;
  readonly keySetPort: number;
  readonly metricsPort: number;
  readonly needs: Needs;
}

function configOf({
  folder,
  connection,
  keySetPort,
  metricsPort,
  needs: { clients = 0 },
}: ConfigParts): string {
  const path = join(folder, 'service.yaml');
  const auth = {
    ...clientAuth,
    ...longLivedAuth,
    jwks_uri: `http://127.0.0.1:${keySetPort}/keys`,
    allow_local_jwks: true,
  };
  writeFileSync(
    path,
    `replication: { connections: [${connection}] }
storage: { type: embedded, path: ${join(folder, 'storage')} }
port: 0
api: { tokens: [${admin}], parameters: { max_concurrent_connections: ${200 + clients} } }
client_auth: ${JSON.stringify(auth)}
healthcheck: { probes: { use_http: true } }
telemetry: { prometheus_port: ${metricsPort}, disable_telemetry_sharing: true }
`,
  );
  return path;
}

/**
 * The user whose token the attacks use has 20 MB of rows: more than the buffers of a connection hold, so the service cannot send
 * everything to a client that does not read. Other users have few rows.
 */
const rows = `
INSERT INTO lists SELECT 'l' || n, repeat('x', 100) FROM generate_series(1, 200) n;
INSERT INTO items SELECT 'i' || n, 'user1', 'title', repeat('x', 10000) FROM generate_series(1, 2000) n;`;

const syncConfig = `config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT id, title FROM lists
  items:
    auto_subscribe: true
    query: SELECT id, body FROM items WHERE list_id = auth.user_id()
  chosen:
    query: SELECT id, title FROM lists WHERE title = subscription.parameter('list')
`;

async function deploy({ url, port }: ServiceProcess): Promise<void> {
  const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/yaml' };
  const answer = await fetch(`${url}/api/sync-rules/v1/deploy`, {
    method: 'POST',
    headers,
    body: syncConfig,
  });
  if (!answer.ok) throw new Error(await answer.text());
  for (let tries = 0; tries < 600; tries += 1) {
    const stream = await openStream(port, { token: await clientToken('honest') });
    stream.close();
    if (stream.status === 200) return;
    await pause(100);
  }
  throw new Error('The sync config does not become active.');
}
