/** Runs a command line: finds the command, runs it, prints its answer as text or JSON, and returns the exit code. */
import manifest from '../../package.json' with { type: 'json' };
import { nearest } from '../../server/engine/index.ts';
import { isFailure } from '../api/failure.ts';
import { paintFor } from './colours.ts';
import type { Answer, Call, Command } from './command.ts';
import { CliFailure, type ExitCode, isCliFailure } from './failure.ts';
import { type CommandGroup, helpOf, overview } from './help.ts';
import { commandGroups } from './index.ts';
import { type CommandLine, readCommandLine } from './options.ts';
import { progressOn, silentProgress } from './progress.ts';
import type { World } from './world.ts';

/** Runs `headwater …args`. */
export async function run(
  args: readonly string[],
  world: World,
  groups: readonly CommandGroup[] = commandGroups,
): Promise<ExitCode> {
  const [first] = args;
  if (first === undefined || first === '--help' || first === '-h') {
    world.print(overview(groups));
    return first === undefined ? 2 : 0;
  }
  if (versionWords.includes(first)) {
    world.print(manifest.version);
    return 0;
  }
  if (first === 'help') return run([...args.slice(1), '--help'], world, groups);
  const commands = groups.flatMap((group) => group.commands);
  const found = commands.find(({ name }) => isPrefix(name.split(' '), args));
  if (found === undefined) return runNone(args, world, commands);
  const rest = args.slice(found.name.split(' ').length);
  if (asksFor(rest, '--help', '-h')) {
    world.print(helpOf(found));
    return 0;
  }
  try {
    const given = readCommandLine(rest, found.options, found.words, found.name);
    return await runCommand(found, given, world, commands);
  } catch (error) {
    return fail(error, asksFor(rest, '--json') ? 'json' : 'text', world);
  }
}

const versionWords: readonly string[] = ['--version', '-v', '-V', 'version'];

function isPrefix(words: readonly string[], args: readonly string[]): boolean {
  return words.every((word, index) => args[index] === word);
}

/** Whether an option is present. After `--`, an argument is a file name, even if it looks like an option. */
function asksFor(args: readonly string[], ...names: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.some((option) => names.includes(option));
}

async function runCommand(
  command: Command,
  { words, values }: CommandLine,
  world: World,
  commands: readonly Command[],
): Promise<ExitCode> {
  const isQuiet = values.has('json') || values.has('quiet');
  const call: Call = {
    words,
    has: (option) => values.has(option),
    text: (option) => values.get(option)?.at(-1),
    texts: (option) => values.get(option) ?? [],
    number: (option) => {
      const text = values.get(option)?.at(-1);
      return text === undefined ? undefined : Number(text);
    },
    world,
    paint: paintFor(world.terminal.output, world.env),
    progress: isQuiet ? silentProgress : progressOn(world),
    commands,
    run: (args, inside) => run(args, inside, [{ title: '', commands }]),
  };
  try {
    const answer = await command.run(call);
    call.progress.end();
    tell(answer, values, world);
    return answer.code;
  } finally {
    call.progress.end();
  }
}

function tell(
  { json, lines = [], advice = [] }: Answer,
  values: CommandLine['values'],
  { print, complain, terminal, env }: World,
): void {
  if (values.has('json')) {
    if (json !== undefined) print(JSON.stringify(json, undefined, 2));
    return;
  }
  for (const line of lines) print(line);
  const { blue } = paintFor(terminal.errors, env);
  if (!values.has('quiet')) for (const line of advice) complain(blue(line));
}

function fail(
  error: unknown,
  format: 'json' | 'text',
  { print, complain, terminal, env, signal }: World,
): ExitCode {
  if (signal.aborted) return 130;
  const { message, code } = failureOf(error);
  complain(paintFor(terminal.errors, env).red(message));
  const kind = isFailure(error) ? error.kind : undefined;
  if (format === 'json') print(JSON.stringify({ error: { message, ...(kind && { kind }) } }, undefined, 2));
  return code;
}

function failureOf(error: unknown): { readonly message: string; readonly code: ExitCode } {
  if (isCliFailure(error)) return error;
  if (isFailure(error, 'tokenless'))
    return { message: `${error.message}\nSet PS_ADMIN_TOKEN to one of its api.tokens.`, code: 2 };
  if (isFailure(error)) return { message: error.message, code: error.kind === 'refused' ? 1 : 2 };
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 2 };
}

/** Handles a command that does not exist, or of which only the first word was given, such as `headwater generate`. */
function runNone([first = '', ...rest]: readonly string[], world: World, commands: readonly Command[]) {
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (family.length > 0 && (rest.length === 0 || asksFor(rest, '--help', '-h'))) {
    world.print(overview([{ title: 'Commands', commands: family }]));
    return rest.length === 0 ? 2 : 0;
  }
  const message = family.length > 0 ? unknown(`${first} ${rest[0]}`, family) : unknown(first, commands);
  return fail(new CliFailure(message), asksFor(rest, '--json') ? 'json' : 'text', world);
}

function unknown(typed: string, commands: readonly Command[]): string {
  const near = nearest(typed, [...commands.map(({ name }) => name), '--help', '--version']);
  const what = typed.startsWith('-') ? 'option' : 'command';
  const hint = near === undefined ? 'See headwater --help.' : `Did you mean ${near}?`;
  return `There is no ${what} ${typed}. ${hint}`;
}
