import { expect, test } from 'vitest';
import { run, startGroup, stopGroup } from '../../../scripts/rigs/process.ts';

const node = process.execPath;
/** A process with a child. Both run forever and hold our pipe open: it ends when both are gone. */
const family = `
  const { spawn } = require('node:child_process');
  spawn(process.execPath, ['-e', 'console.log("born"); setInterval(() => {}, 1000)'], { stdio: 'inherit' });
  setInterval(() => {}, 1000);
`;

test('a command gives its code and all that it printed', async () => {
  const script = 'console.log("out"); console.error("err"); process.exitCode = 3';
  const { code, output, timedOut } = await run(node, ['-e', script], { timeoutMs: 10_000 });
  expect({ code, timedOut }).toEqual({ code: 3, timedOut: false });
  expect(output).toContain('out');
  expect(output).toContain('err');
});

test('a command that does not end is ended with its children', async () => {
  const { code, timedOut } = await run(node, ['-e', family], { timeoutMs: 500 });
  expect({ code, timedOut }).toEqual({ code: null, timedOut: true });
});

test('a command that does not exist has code 127 and says which it is', async () => {
  const { code, output } = await run('no-such-command', [], { timeoutMs: 10_000 });
  expect(code).toBe(127);
  expect(output).toContain('no-such-command');
});

test('a group is stopped with its children, also when its leader has already gone', async () => {
  const leader = startGroup(node, ['-e', family], { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve) => leader.stdout?.once('data', resolve));
  leader.kill('SIGKILL');
  await new Promise((resolve) => leader.once('exit', resolve));
  const closed = new Promise((resolve) => leader.once('close', resolve));
  await stopGroup(leader);
  await closed;
});
