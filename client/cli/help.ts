/** Writes the text of `--help` from the tables of commands and options. No line is wider than a terminal. */
import type { Command } from './command.ts';
import { commonOptions, type Option, type Options } from './options.ts';

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

export function overview(groups: readonly CommandGroup[]): string {
  const rows = groups.flatMap(({ commands }) => commands.map(({ name }) => name));
  const width = Math.max(...rows.map((name) => name.length), '--version'.length);
  return [
    'Usage: headwater COMMAND [OPTIONS]',
    ...groups.flatMap(({ title, commands }) => [
      '',
      `${title}:`,
      ...table(
        commands.map(({ name, summary }) => [name, summary] as const),
        width,
      ),
    ]),
    '',
    ...table(
      [
        ['--help', 'Show this help, or the options of a command'],
        ['--version', 'Show the version'],
      ],
      width,
    ),
  ].join('\n');
}

export function helpOf({ name, about, words, options, examples }: Command): string {
  const usage = ['Usage: headwater', name, words?.names, '[OPTIONS]'].filter((part) => part !== undefined);
  const all: Options = { ...options, ...commonOptions };
  const rows = Object.entries(all).map(([option, is]) => [flagsOf(option, is), is.summary] as const);
  const fitting = rows.map(([left]) => left.length).filter((length) => length <= widestLeft);
  return [
    ...wrap(usage.join(' '), lineWidth),
    '',
    ...paragraphs(about),
    '',
    ...table(rows, Math.max(0, ...fitting)),
    '',
    examples.length > 1 ? 'Examples:' : 'Example:',
    // Each example stays on one line, because users copy it.
    ...examples.map((example) => `  headwater ${example}`),
  ].join('\n');
}

/** Returns the flags of an option, for example `-c, --config FILE`. */
function flagsOf(name: string, { value, alias, choices }: Option): string {
  const names = alias?.startsWith('--')
    ? `--${name}, ${alias}`
    : [alias, `--${name}`].filter(Boolean).join(', ');
  const stands = choices?.join('|') ?? value;
  return stands === undefined ? names : `${names} ${stands}`;
}

/** The maximum number of characters in a line. */
const lineWidth = 80;

/** The maximum number of characters to the left of a summary. After a longer name, the summary is on its own line. */
const widestLeft = 26;

/** Splits a text at empty lines. Other line breaks of the source do not appear in the output. */
function paragraphs(text: string): string[] {
  return text.split(/\n{2,}/).flatMap((paragraph, index) => {
    const lines = wrap(paragraph.replace(/\s*\n\s*/g, ' '), lineWidth);
    return index === 0 ? lines : ['', ...lines];
  });
}

function table(rows: readonly (readonly [string, string])[], width: number): string[] {
  const indent = ' '.repeat(width + 4);
  return rows.flatMap(([left, right]) => {
    const [first = '', ...more] = wrap(right, lineWidth - indent.length);
    const rest = more.map((line) => `${indent}${line}`);
    return left.length > width
      ? [...wrap(left, lineWidth - 2).map((line) => `  ${line}`), `${indent}${first}`, ...rest]
      : [`  ${left.padEnd(width)}  ${first}`, ...rest];
  });
}

/** Breaks a text into lines. A word that is longer than a line gets its own line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/ +/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
