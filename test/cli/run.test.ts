import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Command, command } from '../../client/cli/command.ts';
import { commands } from '../../client/cli/index.ts';
import { readCommandLine } from '../../client/cli/options.ts';
import { run } from '../../client/cli/run.ts';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../../scripts/root.ts';
import { cliWorld } from '../support/cli/cliWorld.ts';

const echo = command({
  name: 'echo',
  summary: 'Repeats its arguments',
  about: 'Repeats what is written behind it.',
  words: { names: 'WORD…', least: 0, most: 3 },
  options: {
    times: { value: 'N', between: [1, 9], summary: 'How often' },
    voice: { value: 'VOICE', choices: ['loud', 'low'], summary: 'How' },
    secret: { alias: '-s', summary: 'Silently' },
  },
  examples: ['echo hello'],
  run: async ({ words, text, has }) => ({
    code: 1,
    json: { words },
    lines: [[...words, text('times'), text('voice'), has('secret') && 'secret'].filter(Boolean).join(' ')],
    advice: ['Again?'],
  }),
});
const echoRow = { ...echo, name: 'echo row' };
const groupOf = (...all: readonly Command[]) => [{ title: 'For tests', commands: all }];

async function headwater(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args, cliWorld({}, new Map(), out, err), groupOf(echo));
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test.each(['--version', '-v', '-V', 'version'])(
  '%s prints the version of package.json and nothing else',
  async (word) => {
    expect(await headwater(word)).toEqual({ code: 0, out: manifest.version, err: '' });
  },
);

test('--help lists every command with its summary, in groups', async () => {
  const { code, out } = await headwater('--help');
  expect(code).toBe(0);
  expect(out).toContain('\n\nFor tests:\n  echo       Repeats its arguments\n');
});

test('no help text is wider than 80 characters', async () => {
  const out: string[] = [];
  const world = cliWorld({}, new Map(), out, []);
  await run(['--help'], world);
  for (const { name } of commands) await run([...name.split(' '), '--help'], world);
  const lines = out.join('\n').split('\n');
  const examples = new Set(
    commands.flatMap((each) => each.examples.map((example) => `  headwater ${example}`)),
  );
  expect(lines.filter((line) => line.length > 80 && !examples.has(line))).toEqual([]);
});

test('no command is in two groups', () => {
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
});

test('help is another word for --help', async () => {
  expect(await headwater('help')).toEqual(await headwater('--help'));
  expect(await headwater('help', 'echo')).toEqual(await headwater('echo', '--help'));
  expect(await headwater('help', 'ehco')).toEqual({
    code: 2,
    out: '',
    err: 'There is no command ehco. Did you mean echo?',
  });
});

test('without a command, the help is printed and the exit code is 2', async () => {
  const { code, out } = await headwater();
  expect(code).toBe(2);
  expect(out).toContain('Usage: headwater COMMAND');
});

test('a command receives its arguments and sets the exit code', async () => {
  expect(await headwater('echo', 'a', 'b')).toEqual({ code: 1, out: 'a b', err: 'Again?' });
});

test('--help after a command shows its options and an example, and does not run it', async () => {
  const { code, out } = await headwater('echo', 'a', '--help');
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    'Usage: headwater echo WORD… [OPTIONS]',
    '',
    'Repeats what is written behind it.',
    '',
    '  --times N         How often',
    '  --voice loud|low  How',
    '  -s, --secret      Silently',
    '  --json            Print one JSON document and nothing else',
    '  -q, --quiet       Print only the result, without progress and advice',
    '  -h, --help        Show this help',
    '',
    'Example:',
    '  headwater echo hello',
  ]);
});

test('--help after -- is an argument', async () => {
  expect(await headwater('echo', '--', '--help')).toEqual({ code: 1, out: '--help', err: 'Again?' });
});

test.each([
  ['ehco', 'There is no command ehco. Did you mean echo?'],
  ['frobnicate', 'There is no command frobnicate. See headwater --help.'],
  ['x', 'There is no command x. See headwater --help.'],
  ['--versoin', 'There is no option --versoin. Did you mean --version?'],
])('the unknown word %s is answered in one sentence', async (typed, sentence) => {
  expect(await headwater(typed)).toEqual({ code: 2, out: '', err: sentence });
});

test.each([
  [['--tiems', '3'], 'There is no option --tiems. Did you mean --times?'],
  [['--frobnicate'], 'There is no option --frobnicate. See headwater echo --help.'],
  [['--times'], 'The option --times needs a value: --times N.'],
  [['--times='], 'The option --times needs a value: --times N.'],
  [['--times', 'x'], '--times must be a number from 1 to 9, not x.'],
  [['--times', '10'], '--times must be a number from 1 to 9, not 10.'],
  [['--voice', 'luod'], 'Invalid value for --voice: luod. Did you mean loud?'],
  [['--voice=x'], 'Invalid value for --voice: x. Use one of these: loud, low.'],
  [['--secret=yes'], 'The option --secret takes no value.'],
  [['a', 'b', 'c', 'd'], 'Unexpected argument `d`. See headwater echo --help.'],
])('%j are refused in one sentence', async (args, sentence) => {
  expect(await headwater('echo', ...args)).toEqual({ code: 2, out: '', err: sentence });
});

test.each([
  [['--times', '3', '-s', 'a'], 'a 3 secret'],
  [['--times=3', 'a'], 'a 3'],
  [['a', '--', '--times', '3'], 'a --times 3'],
  [['-'], '-'],
])('%j are parsed', async (args, line) => {
  expect((await headwater('echo', ...args)).out).toBe(line);
});

test('--quiet leaves out the advice', async () => {
  expect(await headwater('echo', 'a', '-q')).toEqual({ code: 1, out: 'a', err: '' });
});

test('--json prints one document, also for an error', async () => {
  expect(JSON.parse((await headwater('echo', 'a', '--json')).out)).toEqual({ words: ['a'] });
  const { code, out, err } = await headwater('echo', '--json', '--tiems');
  expect({ code, err }).toEqual({ code: 2, err: 'There is no option --tiems. Did you mean --times?' });
  expect(JSON.parse(out)).toEqual({ error: { message: err } });
});

test('the first word of two-word commands lists these commands', async () => {
  const out: string[] = [];
  expect(await run(['echo'], cliWorld({}, new Map(), out, []), groupOf(echoRow))).toBe(2);
  expect(out.join('\n')).toContain('  echo row   Repeats its arguments');
});

test('an unexpected error is printed, and the exit code is 2', async () => {
  const broken = { ...echo, run: () => Promise.reject(new TypeError('broken')) };
  const err: string[] = [];
  expect(await run(['echo'], cliWorld({}, new Map(), [], err), groupOf(broken))).toBe(2);
  expect(err.join('\n')).toContain('TypeError: broken');
});

test.each(commands)('$name has an example that can be read', ({ name, examples, options, words }) => {
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    expect(example.startsWith(name)).toBe(true);
    const [line = ''] = example.split(/ [>|]/);
    const args = line.slice(name.length).match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
    expect(() => readCommandLine(args, options, words, name)).not.toThrow();
  }
});

test.each(commands)('$name is run as a process by a test', ({ name }) => {
  const words = name
    .split(' ')
    .map((word) => `'${word}'`)
    .join(', ');
  const runs = new RegExp(`\\b(headwater|inside|start|run)\\(\\[?${words}[,\\])]`);
  const tests = globSync('test/cli/{*.live.test,*/*.live.test}.ts', { cwd: root });
  expect(tests.filter((path) => runs.test(readFileSync(join(root, path), 'utf8')))).not.toEqual([]);
});
