/** Runs the command line with the streams, signals and terminals of a real process. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliProcess, copyCli } from '../support/cli/cliProcess.ts';
import { type RunningProcess, startProcess, until } from '../support/processes/runningProcess.ts';

let cli: CliProcess;

beforeAll(() => {
  cli = copyCli();
  writeFileSync(
    join(cli.folder, 'wrong.yaml'),
    'config: { edition: 3 }\nstreams:\n  x: { priority: 4, query: SELECT * FROM t }\n',
  );
});

afterAll(() => cli.remove());

function shell(line: string, env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', line], {
    cwd: cli.folder,
    env: { PATH: process.env.PATH, HEADWATER: `${process.execPath} ${cli.program}`, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('standard output', () => {
  test('may be closed early by its reader', () => {
    const many = Array.from({ length: 300 }, () => 'wrong.yaml').join(' ');
    const { stdout, stderr } = shell(`$HEADWATER validate ${many} | head -n 1; echo "\${PIPESTATUS[0]}"`);
    expect(stdout.split('\n')[0]).toContain('wrong.yaml:3:18');
    expect(stdout.split('\n')[1]).toMatch(/^[01]$/);
    expect(stderr).toBe('');
  });

  test.skipIf(!existsSync('/dev/full'))('may be a file on a full disk, which is reported', () => {
    expect(shell('$HEADWATER --help > /dev/full')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'Cannot write the output: the disk is full.\n',
    });
  });

  test('that is not a terminal has no colours', () => {
    expect(shell('$HEADWATER validate wrong.yaml').stdout).not.toContain('\u001b');
  });

  // `script` of util-linux runs a command in its own terminal.
  test.skipIf(spawnSync('script', ['--version']).status !== 0)(
    'that is a terminal has colours, unless NO_COLOR is set',
    () => {
      const onTerminal = 'script -qec "$HEADWATER validate wrong.yaml" /dev/null';
      expect(shell(onTerminal, { TERM: 'xterm' }).stdout).toContain('\u001b[31m');
      expect(shell(onTerminal, { TERM: 'xterm', NO_COLOR: '1' }).stdout).not.toContain('\u001b');
    },
  );
});

describe('Ctrl-C', () => {
  function start(...args: string[]): RunningProcess {
    return startProcess(process.execPath, [cli.program, ...args], {
      cwd: cli.folder,
      env: { PATH: process.env.PATH },
    });
  }

  test('ends a command that is waiting between tries with 130, and prints nothing more', async () => {
    const probe = start('probe', '--service', 'http://127.0.0.1:9', '--wait', '--interval', '3600');
    await until(probe, () => probe.err().includes('Trying again'));
    probe.child.kill('SIGINT');
    expect(await probe.ended).toBe(130);
    expect({ out: probe.out(), err: probe.err() }).toEqual({
      out: '',
      err: '127.0.0.1:9 cannot be reached. Trying again …\n',
    });
  });

  test('ends a command that is waiting for an answer', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const asked = once(silent, 'connection');
    // The service has a minute for its answer, so that the signal comes first also on a busy machine.
    const verify = start('verify', '--json', '--service', `http://127.0.0.1:${port}`);
    await asked;
    verify.child.kill('SIGINT');
    expect(await verify.ended).toBe(130);
    expect({ out: verify.out(), err: verify.err() }).toEqual({ out: '', err: '' });
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
