import type { ConfigOptions, ConfigWorld } from '../config/load.ts';
import type { ServiceSettings } from '../config/settings.ts';
import type { World } from '../ground/world.ts';

export interface Command {
  readonly name: string;
  /** Behind the name, in the help. */
  readonly usage: string;
  readonly summary: string;
  /** Returns the exit code: see `failure.ts`. */
  run(call: CommandCall): Promise<number>;
}

export interface CommandCall {
  readonly settings: ServiceSettings;
  readonly arguments: Arguments;
  /** The working directory, absolute. */
  readonly folder: string;
  readonly world: World;
  readonly terminal: Terminal;
}

export interface Arguments {
  readonly command: string;
  /** What stands there without an option. */
  readonly words: readonly string[];
  readonly config: ConfigOptions;
  /** Options of single commands, by their long name without dashes. */
  readonly own: Readonly<Record<string, string>>;
}

/** The process around a command. */
export interface Terminal {
  /** A line of the answer. */
  readonly print: (line: string) => void;
  /** A line about what happens. */
  readonly complain: (line: string) => void;
  readonly files: Pick<ConfigWorld, 'readFile' | 'exists'>;
  readonly env: ConfigWorld['env'];
  readonly folder: string;
  /** Calls back with each request to stop, until it is told to listen no more. */
  readonly onStop: (listener: () => void) => () => void;
}
