/** How long the built service needs to its `ready` on an empty folder, and what it holds when it has nothing to do. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServiceProcess } from '../support/processes/serviceProcess.ts';
import { median, printTable } from './measure.ts';
import { pause, residentMegabytes } from './stage.ts';

const rounds = 5;

/** In milliseconds: what was used at the start is given back by then. */
const idle = 3000;

export async function bench(): Promise<void> {
  const runs: Run[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await startOnce());
  printTable(
    'The service on an empty folder and an empty config (median of 5)',
    ['what', 'ours', 'target'],
    [
      ['start to ready', `${median(runs.map(({ start }) => start)).toFixed(0)} ms`, '< 1,000 ms'],
      ['resident memory, idle', `${median(runs.map(({ memory }) => memory)).toFixed(0)} MB`, '< 120 MB'],
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
