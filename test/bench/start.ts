/**
 * How long the built service needs to its `ready` on an empty folder, and what it holds when it has nothing to do; and the
 * same of a server of Node that can do nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess } from '../support/processes/serviceProcess.ts';
import { median, printTable, ratio } from './measure.ts';
import { pause, residentMegabytes } from './stage.ts';

const rounds = 5;

/** The time in milliseconds after which the memory of the start is given back. */
const idle = 3000;

export async function bench(): Promise<void> {
  const ours: Run[] = [];
  const bare: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Both start alone, and are idle together.
    const [service, server] = await Promise.all([startOnce(), pause(idle / 2).then(startBare)]);
    ours.push(service);
    bare.push(server);
  }
  const row = (what: string, part: keyof Run, unit: string, target: string) => {
    const [mine, least] = [ours, bare].map((runs) => median(runs.map((run) => run[part])));
    const shown = (value = Number.NaN) => `${value.toFixed(0)} ${unit}`;
    return [what, shown(mine), shown(least), ratio(mine ?? Number.NaN, least ?? Number.NaN), target];
  };
  printTable(
    'The service on an empty folder and an empty config (median of 5)',
    ['what', 'ours', 'limit of the machine (a server of Node)', 'ratio', 'target'],
    [
      row('start to ready', 'start', 'ms', '< 1,000 ms'),
      row('resident memory, idle', 'memory', 'MB', '< 120 MB'),
    ],
  );
}

interface Run {
  readonly start: number;
  readonly memory: number;
}

async function startOnce(): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-start-'));
  const config = join(folder, 'service.yaml');
  writeFileSync(config, 'port: 0\n');
  const before = performance.now();
  const service = await startServiceProcess(config);
  const start = performance.now() - before;
  await pause(idle);
  const memory = residentMegabytes(service.pid);
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
  return { start, memory };
}

const bareServer = `require('node:http').createServer().listen(0, '127.0.0.1', () => process.send('ready'));
process.on('disconnect', () => process.exit());`;

async function startBare(): Promise<Run> {
  const before = performance.now();
  const server = spawn(process.execPath, ['-e', bareServer], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(server, 'message');
  const start = performance.now() - before;
  await pause(idle);
  const memory = residentMegabytes(server.pid as number);
  server.disconnect();
  return { start, memory };
}
