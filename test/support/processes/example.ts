/** Runs an example as its README describes: `headwater dev` in its folder, and its own client. Both end with the test. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { root } from '../../../scripts/root.ts';
import { freePort } from './freePort.ts';
import { type RunningProcess, startProcess, until } from './runningProcess.ts';

export interface Example {
  /** The address of the database for PostgreSQL clients. */
  readonly database: string;
  readonly service: Program;
  /** Runs a command in the folder, and returns its standard output. */
  headwater(...args: string[]): string;
  startClient(user: string, ...args: readonly string[]): Program;
  /** Starts the example's own backend. Clients that are started later send their writes to the backend. */
  startBackend(): Promise<Program>;
}

export interface Program {
  /** Returns the text on standard output. */
  readonly said: () => string;
  until(text: string | RegExp): Promise<void>;
  stop(): Promise<void>;
}

const cli = join(root, 'dist/cli.js');

export async function startExample(name: string): Promise<Example> {
  // The example runs in a copy, so that it leaves no files in the repository.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `headwater-${name}-`)));
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  takeFreePorts(join(folder, 'service.yaml'));
  const programs: Program[] = [];
  onTestFinished(async () => {
    for (const program of programs.toReversed()) await program.stop();
    rmSync(folder, { recursive: true });
  });
  const start = (
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    cwd = folder,
  ): Program => {
    const options = { cwd, env: { PATH: process.env.PATH, ...env } };
    const program = toProgram(startProcess(process.execPath, args, options));
    programs.push(program);
    return program;
  };
  const headwater = (...args: string[]): string =>
    spawnSync(process.execPath, [cli, ...args], { cwd: folder, encoding: 'utf8' }).stdout;
  const service = start([cli, 'dev']);
  await service.until('is active');
  const url = /http:\S+/.exec(service.said())?.[0] ?? '';
  const database = /postgresql:\S+?(?=:? )/.exec(service.said())?.[0] ?? '';
  const backendPort = String(await freePort());
  return {
    database,
    service,
    headwater,
    startBackend: async () => {
      const program = join(root, 'examples', name, 'backend.mjs');
      const settings = { PORT: backendPort, DATABASE_URL: database };
      const backend = start(['--env-file=.env', program], settings);
      await backend.until('The backend listens');
      return backend;
    },
    startClient: (user, ...args) => {
      const env = {
        SYNC_URL: url,
        BACKEND_URL: `http://127.0.0.1:${backendPort}`,
        SYNC_TOKEN: headwater('generate', 'token', '--subject', user).trim(),
      };
      // Each client stores its rows in its working directory.
      const own = mkdtempSync(join(folder, 'client-'));
      return start([join(root, 'examples', name, 'client.mjs'), ...args], env, own);
    },
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
