import { expect, test } from 'vitest';
import type { Command } from '../../client/cli/command.ts';
import { run } from '../../client/cli/run.ts';
import manifest from '../../package.json' with { type: 'json' };

const echo: Command = {
  name: 'echo',
  summary: 'Repeats its arguments',
  usage: 'Usage: headwater echo WORD…',
  run: async (args, world) => {
    world.print(args.join(' '));
    return 1;
  },
};

async function headwater(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(
    args,
    {
      print: (line) => out.push(line),
      complain: (line) => err.push(line),
      readFile: () => Promise.reject(new Error('no file is read here')),
      exists: () => false,
    },
    [echo],
  );
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('--version prints the version of package.json and nothing else', async () => {
  expect(await headwater('--version')).toEqual({ code: 0, out: manifest.version, err: '' });
});

test('--help lists every command with its summary', async () => {
  const { code, out } = await headwater('--help');
  expect(code).toBe(0);
  expect(out).toContain('  echo       Repeats its arguments');
});

test('no command shows the help and counts as wrong usage', async () => {
  const { code, out } = await headwater();
  expect(code).toBe(2);
  expect(out).toContain('Usage: headwater COMMAND');
});

test('a command gets its arguments and gives the exit code', async () => {
  expect(await headwater('echo', 'a', 'b')).toEqual({ code: 1, out: 'a b', err: '' });
});

test('--help behind a command shows its usage and does not run it', async () => {
  expect(await headwater('echo', 'a', '--help')).toEqual({ code: 0, out: echo.usage, err: '' });
});

test('--help behind -- is an argument', async () => {
  expect(await headwater('echo', '--', '--help')).toEqual({ code: 1, out: '-- --help', err: '' });
});

test.each([
  ['ehco', 'There is no command ehco. Did you mean echo?'],
  ['frobnicate', 'There is no command frobnicate. See headwater --help.'],
  ['x', 'There is no command x. See headwater --help.'],
  ['--versoin', 'There is no option --versoin. Did you mean --version?'],
])('the unknown word %s is answered in one sentence', async (typed, sentence) => {
  expect(await headwater(typed)).toEqual({ code: 2, out: '', err: sentence });
});
