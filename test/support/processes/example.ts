/** An example as the README says: `headwater dev` in its folder, and its own client. Both end with the test. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { root } from '../../../scripts/root.ts';
import { type RunningProcess, startProcess, until } from './runningProcess.ts';

export interface Example {
  /** An address for clients of PostgreSQL. */
  readonly database: string;
  readonly service: Program;
  /** Runs a command in the folder; what it prints. */
  headwater(...args: string[]): string;
  startClient(user: string): Program;
}

export interface Program {
  /** On standard output. */
  readonly said: () => string;
  until(text: string | RegExp): Promise<void>;
  stop(): Promise<void>;
}

const cli = join(root, 'dist/cli.js');

export async function startExample(name: string): Promise<Example> {
  // A copy, so that nothing is left in the repository.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `headwater-${name}-`)));
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  takeFreePorts(join(folder, 'service.yaml'));
  const programs: Program[] = [];
  onTestFinished(async () => {
    for (const program of programs.toReversed()) await program.stop();
    rmSync(folder, { recursive: true });
  });
  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Program => {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...env } };
    const program = toProgram(startProcess(process.execPath, args, options));
    programs.push(program);
    return program;
  };
  const headwater = (...args: string[]): string =>
    spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8' }).stdout;
  const service = start([cli, 'dev']);
  await service.until('is active');
  const url = /http:\S+/.exec(service.said())?.[0] ?? '';
  return {
    database: /postgresql:\S+?(?=:? )/.exec(service.said())?.[0] ?? '',
    service,
    headwater,
    startClient: (user) =>
      start([join(root, 'examples', name, 'client.mjs')], {
        SYNC_URL: url,
        SYNC_TOKEN: headwater('generate', 'token', '--subject', user).trim(),
      }),
  };
}

function takeFreePorts(path: string): void {
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/^port: .*/m, 'port: 0').replace(/^ +port: .*\n/m, ''));
}

function toProgram(running: RunningProcess): Program {
  const { child, out, ended } = running;
  return {
    said: out,
    until: (wanted) =>
      until(running, () => (typeof wanted === 'string' ? out().includes(wanted) : wanted.test(out()))),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
