import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { endOf } from '../../../client/project/childProcess.ts';

const says = "process.stdout.write('last words', () => process.exit(3))";

test('the end of a child is reported after all of its output, even if we closed its channel', async () => {
  const child = spawn(process.execPath, ['-e', `process.once('disconnect', () => ${says})`], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  const end = endOf(child);
  child.disconnect();
  expect(await end).toEqual({ code: 3, signal: null });
  expect(text).toBe('last words');
});

test('the end of a program that cannot be started is an error', async () => {
  await expect(endOf(spawn('/nowhere/at all'))).rejects.toMatchObject({ code: 'ENOENT' });
});
