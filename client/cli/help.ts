/** What `--help` shows, made of the tables of commands and options. */
import type { Command } from './command.ts';
import { commonOptions, type Option, type Options } from './options.ts';

export function overview(commands: readonly Command[]): string {
  const rows = [
    ...commands.map(({ name, summary }) => [name, summary] as const),
    ['--help', 'Show this text; behind a command, all of its options'] as const,
    ['--version', 'Show the version'] as const,
  ];
  return ['Usage: headwater COMMAND [OPTIONS]', '', ...table(rows)].join('\n');
}

export function helpOf({ name, about, words, options, examples }: Command): string {
  const usage = ['Usage: headwater', name, words?.names, '[OPTIONS]'].filter((part) => part !== undefined);
  const all: Options = { ...options, ...commonOptions };
  const rows = Object.entries(all).map(([option, is]) => [flagsOf(option, is), is.summary] as const);
  return [
    usage.join(' '),
    '',
    about,
    '',
    ...table(rows),
    '',
    examples.length > 1 ? 'Examples:' : 'Example:',
    ...examples.map((example) => `  headwater ${example}`),
  ].join('\n');
}

/** `-c, --config FILE` */
function flagsOf(name: string, { value, alias, choices }: Option): string {
  const names = alias?.startsWith('--')
    ? `--${name}, ${alias}`
    : [alias, `--${name}`].filter(Boolean).join(', ');
  const stands = choices?.join('|') ?? value;
  return stands === undefined ? names : `${names} ${stands}`;
}

/** Characters, beyond which a summary begins a line of its own. */
const widest = 32;

function table(rows: readonly (readonly [string, string])[]): string[] {
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= widest);
  const width = Math.max(0, ...fitting);
  return rows.flatMap(([left, right]) =>
    left.length > widest
      ? [`  ${left}`, `  ${' '.repeat(width)}  ${right}`]
      : [`  ${left.padEnd(width)}  ${right}`],
  );
}
