import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { endOf } from '../../../client/project/childProcess.ts';

const says = "process.stdout.write('last words', () => process.exit(3))";

test('a child whose channel was closed from here has an end, too, after all that it said', async () => {
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

test('what cannot be started has none', async () => {
  await expect(endOf(spawn('/nowhere/at all'))).rejects.toMatchObject({ code: 'ENOENT' });
});
