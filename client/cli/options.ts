/** Reads command lines with two tables: the options that all commands have, and the options of the command. */

import { nearest } from '../../server/engine/index.ts';
import { type OptionShape, readArguments } from '../../server/shared/commandLine.ts';
import { CliFailure } from './failure.ts';

export interface Option {
  /** The line in the help. */
  readonly summary: string;
  /** The placeholder for the value in the help, for example `FILE`. Absent if the option has no value. */
  readonly value?: string;
  /** Another name with its dashes, for example `-c` or the name in other tools. */
  readonly alias?: string;
  /** The possible values. */
  readonly choices?: readonly string[];
  /** The range of the value, which is a number. */
  readonly between?: readonly [least: number, most: number];
  /** Present if the option can occur several times. */
  readonly many?: true;
}

/** Options by name, without dashes. */
export type Options = Readonly<Record<string, Option>>;

export const commonOptions = {
  json: { summary: 'Print one JSON document and nothing else' },
  quiet: { alias: '-q', summary: 'Print only the result, without progress and advice' },
  help: { alias: '-h', summary: 'Show this help' },
} as const satisfies Options;

export type CommonOption = keyof typeof commonOptions;

/** Arguments without an option. */
export interface Operands {
  /** The operands in the help, for example `FILE…`. */
  readonly names: string;
  readonly least: number;
  readonly most: number;
  /** The message for too few operands. */
  readonly missing?: string;
  /** The words that shells offer as operands. */
  readonly choices?: readonly string[];
}

export interface CommandLine {
  readonly words: readonly string[];
  /** The values by name. Options without a value have an empty list. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Reads a command line, or throws a failure that names the mistake. `name` is the name of the command, for advice. */
export function readCommandLine(
  args: readonly string[],
  own: Options,
  operands: Operands | undefined,
  name: string,
): CommandLine {
  const options: Options = { ...own, ...commonOptions };
  const line = readArguments(args, shapesOf(options));
  switch (line.kind) {
    case 'unknown option':
      throw unknownOption(line.flag, options, name);
    case 'value missing':
      throw missingValue(line.flag, options[line.option]);
    case 'value not allowed':
      throw new CliFailure(`The option ${line.flag} takes no value.`);
    case 'read':
      for (const [option, given] of line.values)
        for (const value of given) checkValue(`--${option}`, value, options[option]);
      checkOperands(line.words, operands, name);
      return line;
  }
}

function shapesOf(options: Options): Readonly<Record<string, OptionShape>> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { alias, value, choices }]) => [
      name,
      {
        names: [`--${name}`, ...(alias === undefined ? [] : [alias])],
        hasValue: value !== undefined || choices !== undefined,
      },
    ]),
  );
}

function missingValue(flag: string, option: Option | undefined): CliFailure {
  return new CliFailure(`The option ${flag} needs a value: ${flag} ${option?.value}.`);
}

function checkValue(flag: string, value: string, option: Option | undefined): void {
  if (value === '') throw missingValue(flag, option);
  const { choices, between } = option ?? {};
  if (choices !== undefined && !choices.includes(value)) {
    const near = nearest(value, choices);
    const advice = near === undefined ? `Use one of these: ${choices.join(', ')}.` : `Did you mean ${near}?`;
    throw new CliFailure(`Invalid value for ${flag}: ${value}. ${advice}`);
  }
  if (between !== undefined && !isBetween(value, between))
    throw new CliFailure(`${flag} must be a number from ${between[0]} to ${between[1]}, not ${value}.`);
}

function isBetween(text: string, [least, most]: readonly [number, number]): boolean {
  return /^\d+(\.\d+)?$/.test(text) && Number(text) >= least && Number(text) <= most;
}

function unknownOption(flag: string, options: Options, name: string): CliFailure {
  const names = Object.keys(options).map((each) => `--${each}`);
  const near = nearest(flag, names);
  const advice = near === undefined ? `See headwater ${name} --help.` : `Did you mean ${near}?`;
  return new CliFailure(`There is no option ${flag}. ${advice}`);
}

function checkOperands(words: readonly string[], expected: Operands | undefined, name: string): void {
  const { names, least, most, missing } = expected ?? { names: '', least: 0, most: 0 };
  if (words.length < least)
    throw new CliFailure(missing ?? `Missing argument. Usage: headwater ${name} ${names}`);
  const extra = words[most];
  if (extra !== undefined)
    throw new CliFailure(`Unexpected argument \`${extra}\`. See headwater ${name} --help.`);
}
