/** Command lines are read by tables: one of the options of every command, and one of each command's own. */
import { nearest } from '../../server/engine/nearest.ts';
import { CliFailure } from './failure.ts';

export interface Option {
  /** In the help. */
  readonly summary: string;
  /** What stands for its value in the help: `FILE`. Absent: it has none. */
  readonly value?: string;
  /** Another name, with its dashes: `-c`, or what other tools call it. */
  readonly alias?: string;
  /** The only values that it can have. */
  readonly choices?: readonly string[];
  /** Its value is a number between these two. */
  readonly between?: readonly [least: number, most: number];
  /** May be given several times. */
  readonly many?: true;
}

/** By name, without dashes. */
export type Options = Readonly<Record<string, Option>>;

export const commonOptions = {
  json: { summary: 'Print one JSON document, and nothing else, on standard output' },
  quiet: { alias: '-q', summary: 'Print the answer only: no progress, no advice' },
  help: { alias: '-h', summary: 'Show this text' },
} as const satisfies Options;

export type CommonOption = keyof typeof commonOptions;

/** What stands without an option. */
export interface Operands {
  /** In the help: `FILE…`. */
  readonly names: string;
  readonly least: number;
  readonly most: number;
  /** What to say when there are too few. */
  readonly missing?: string;
}

export interface CommandLine {
  readonly words: readonly string[];
  /** By name; those without a value have an empty list. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Throws a failure that says what is wrong. `name` is that of the command, for advice. */
export function readCommandLine(
  args: readonly string[],
  own: Options,
  words: Operands | undefined,
  name: string,
): CommandLine {
  const options: Options = { ...own, ...commonOptions };
  const values = new Map<string, readonly string[]>();
  const found: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') found.push(...rest.splice(0));
    else if (!arg.startsWith('-') || arg === '-') found.push(arg);
    else {
      const [flag, inline] = splitAtEquals(arg);
      const option = nameOf(flag, options);
      if (option === undefined) throw unknownOption(flag, options, name);
      const value = takeValue(flag, options[option], inline, rest);
      const before = values.get(option) ?? [];
      values.set(option, value === undefined ? [] : [...(options[option]?.many ? before : []), value]);
    }
  }
  checkWords(found, words, name);
  return { words: found, values };
}

/** `--format=json` */
function splitAtEquals(arg: string): readonly [flag: string, value: string | undefined] {
  const at = arg.indexOf('=');
  return arg.startsWith('--') && at !== -1 ? [arg.slice(0, at), arg.slice(at + 1)] : [arg, undefined];
}

function nameOf(flag: string, options: Options): string | undefined {
  return Object.entries(options).find(([name, { alias }]) => flag === `--${name}` || flag === alias)?.[0];
}

function takeValue(
  flag: string,
  { value, choices, between }: Option = { summary: '' },
  inline: string | undefined,
  rest: string[],
): string | undefined {
  if (value === undefined) {
    if (inline !== undefined) throw new CliFailure(`The option ${flag} has no value.`);
    return undefined;
  }
  const given = inline ?? rest.shift();
  if (given === undefined || given === '')
    throw new CliFailure(`The option ${flag} needs a value: ${flag} ${value}.`);
  if (choices !== undefined && !choices.includes(given)) {
    const near = nearest(given, choices);
    const advice = near === undefined ? `It can be ${choices.join(', ')}.` : `Did you mean ${near}?`;
    throw new CliFailure(`${flag} cannot be ${given}. ${advice}`);
  }
  if (between !== undefined && !isBetween(given, between))
    throw new CliFailure(`${flag} must be a number from ${between[0]} to ${between[1]}, not ${given}.`);
  return given;
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

function checkWords(words: readonly string[], expected: Operands | undefined, name: string): void {
  const { names, least, most, missing } = expected ?? { names: '', least: 0, most: 0 };
  if (words.length < least) throw new CliFailure(missing ?? `Write headwater ${name} ${names}.`);
  const extra = words[most];
  if (extra !== undefined)
    throw new CliFailure(`There is nothing to do with \`${extra}\`. See headwater ${name} --help.`);
}
