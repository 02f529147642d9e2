/** The type of a command of the command line: its options, its call and its answer. */
import type { Paint } from './colours.ts';
import type { ExitCode } from './failure.ts';
import type { CommonOption, Operands, Options } from './options.ts';
import type { Progress } from './progress.ts';
import type { World } from './world.ts';

export interface Answer {
  readonly code: ExitCode;
  /** The document for programs, which `--json` prints. Absent if the command has printed everything itself. */
  readonly json?: unknown;
  /** The lines for people, on standard output. */
  readonly lines?: readonly string[];
  /** The next steps, on standard error. */
  readonly advice?: readonly string[];
}

export interface Call<Name extends string = string> {
  readonly words: readonly string[];
  readonly has: (option: Name | CommonOption) => boolean;
  readonly text: (option: Name) => string | undefined;
  readonly texts: (option: Name) => readonly string[];
  readonly number: (option: Name) => number | undefined;
  readonly world: World;
  /** The colours for standard output. */
  readonly paint: Paint;
  readonly progress: Progress;
  readonly commands: readonly Command[];
  /** Runs another command line in a world, as if it were typed there. */
  readonly run: (args: readonly string[], world: World) => Promise<ExitCode>;
}

export interface Command {
  /** The name, in one word or two, for example `generate token`. */
  readonly name: string;
  /** The line in `headwater --help`. */
  readonly summary: string;
  /** The text of its help: sentences with line breaks. */
  readonly about: string;
  readonly words?: Operands;
  readonly options: Options;
  /** The examples, of which there is at least one, without `headwater` in front. */
  readonly examples: readonly string[];
  readonly run: (call: Call) => Promise<Answer>;
}

interface Definition<O extends Options> extends Omit<Command, 'options' | 'run'> {
  readonly options: O;
  readonly run: (call: Call<keyof O & string>) => Promise<Answer>;
}

/** Defines a command. Its code can read only the options of its own table. */
export function command<const O extends Options>(definition: Definition<O>): Command {
  return definition as Command;
}
