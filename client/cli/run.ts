import manifest from '../../package.json' with { type: 'json' };
import { nearest } from '../../server/engine/nearest.ts';
import type { Command, ExitCode, World } from './command.ts';
import { commands as allCommands } from './index.ts';

/** Runs `headwater …args`. */
export async function run(
  args: readonly string[],
  world: World,
  commands: readonly Command[] = allCommands,
): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === undefined || first === '--help' || first === '-h') {
    world.print(help(commands));
    return first === undefined ? 2 : 0;
  }
  if (first === '--version') {
    world.print(manifest.version);
    return 0;
  }
  const command = commands.find(({ name }) => name === first);
  if (command === undefined) {
    world.complain(unknown(first, commands));
    return 2;
  }
  if (asksForHelp(rest)) {
    world.print(command.usage);
    return 0;
  }
  return command.run(rest, world);
}

function help(commands: readonly Command[]): string {
  const rows = [
    ...commands.map(({ name, summary }) => [name, summary] as const),
    ['--help', 'Show this text; behind a command, all of its options'] as const,
    ['--version', 'Show the version'] as const,
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const usage = commands.length > 0 ? 'headwater COMMAND [OPTIONS]' : 'headwater [OPTIONS]';
  return [`Usage: ${usage}`, '', ...rows.map(([name, what]) => `  ${name.padEnd(width)}  ${what}`)].join(
    '\n',
  );
}

function unknown(typed: string, commands: readonly Command[]): string {
  const names = [...commands.map(({ name }) => name), '--help', '--version'];
  const near = nearest(typed, names);
  const what = typed.startsWith('-') ? 'option' : 'command';
  const hint = near === undefined ? 'See headwater --help.' : `Did you mean ${near}?`;
  return `There is no ${what} ${typed}. ${hint}`;
}

function asksForHelp(args: readonly string[]): boolean {
  // What stands behind `--` is a file's name, even if it looks like an option.
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes('--help') || options.includes('-h');
}
