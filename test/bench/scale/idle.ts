/** Memory of clients that only wait, beside that of answers of Node's own server that do nothing, and after they have left. */
import { fork } from 'node:child_process';
import { pause, residentMegabytes } from '../stage.ts';
import { connectCrowd } from './crowd.ts';
import type { Figure } from './figure.ts';
import { complete, requestsOf, type World } from './world.ts';

const clients = 5_000;
/** The pause before a measurement, in milliseconds. V8 collects garbage on its own after some quiet seconds. */
const patience = { collected: 3_000, byItself: 15_000 };

/** The options of a measured process, which collects its garbage on request. */
const options = [
  '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
  `--import=${new URL('./collect.mjs', import.meta.url)}`,
];
export const idleEnvironment = { NODE_OPTIONS: options.join(' ') };

export async function idle(world: World): Promise<Figure[]> {
  const users = Array.from({ length: clients }, (_, n) => `reader-${n}`);
  const requests = await requestsOf(world.service, users, 'news');
  const { pid, port } = world.service;
  const ours = await memoryOf(pid, requests, (all) => connectCrowd(port, all, complete));
  const gzip = await memoryOf(pid, accepting('gzip', requests), (all) => connectCrowd(port, all, headEnd));
  const zstd = await memoryOf(pid, accepting('zstd', requests), (all) => connectCrowd(port, all, headEnd));
  const node = await bareServer(requests);
  return [
    {
      what: 'memory of an idle client',
      measured: `${ours.each.toFixed(1)} KB`,
      limit: `${node.each.toFixed(1)} KB (an answer of Node)`,
      ratio: `${(ours.each / node.each).toFixed(1)} ×`,
      wanted: '≤ 16 KB',
    },
    { what: '… that takes gzip', measured: `${gzip.each.toFixed(1)} KB`, wanted: '≤ 16 KB' },
    { what: '… that takes zstd and not gzip', measured: `${zstd.each.toFixed(1)} KB` },
    {
      what: '… memory 15 s after 5,000 have left',
      measured: `${ours.after.toFixed(0)} MB, before ${ours.before.toFixed(0)}`,
      ratio: `${(ours.after / ours.before).toFixed(2)} ×`,
      wanted: '≤ 1.2 ×',
    },
  ];
}

interface Memory {
  /** Kilobytes. */
  readonly each: number;
  /** Megabytes. */
  readonly before: number;
  readonly after: number;
}

/** The end of an answer's head: its body cannot be searched. */
const headEnd = '\r\n\r\n';
/** The number of clients with zstd, each of which has its own compressor. */
const compressedClients = 1_000;

function accepting(encoding: string, requests: readonly string[]): readonly string[] {
  return requests
    .slice(0, compressedClients)
    .map((request) => request.replace('Content-Type', `Accept-Encoding: ${encoding}\r\nContent-Type`));
}

/** Connected twice: what a process needs once for its first clients is not theirs. */
async function memoryOf(
  pid: number,
  requests: readonly string[],
  connectAll: (requests: readonly string[]) => ReturnType<typeof connectCrowd>,
): Promise<Memory> {
  const connect = () => connectAll(requests);
  const collected = async (): Promise<number> => {
    await pause(patience.collected);
    process.kill(pid, 'SIGURG');
    await pause(patience.collected);
    return residentMegabytes(pid);
  };
  await (await connect()).close();
  const before = await collected();
  const crowd = await connect();
  const during = await collected();
  await crowd.close();
  await pause(patience.byItself);
  return { each: ((during - before) * 1024) / requests.length, before, after: residentMegabytes(pid) };
}

async function bareServer(requests: readonly string[]): Promise<Memory> {
  const server = fork(new URL('./bareAnswers.ts', import.meta.url), {
    execArgv: options,
  });
  try {
    const { port } = await new Promise<{ port: number }>((resolve) => {
      server.once('message', (message) => resolve(message as { port: number }));
    });
    return await memoryOf(server.pid as number, requests, (all) => connectCrowd(port, all, 'welcome'));
  } finally {
    server.disconnect();
  }
}
