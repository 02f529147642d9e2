/** The type of a command of the service program. */
import type { ServiceSettings } from '../config/settings.ts';
import type { ConfigOptions, ConfigWorld } from '../config/surroundings.ts';
import type { World } from '../ground/world.ts';
import type { StartWorker } from '../workers/channel.ts';

export interface Command {
  readonly name: string;
  /** After the name, in the help. */
  readonly usage: string;
  readonly summary: string;
  /** Returns the exit code: see `exitCodes.ts`. */
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
  /** Arguments without an option. */
  readonly words: readonly string[];
  readonly config: ConfigOptions;
  /** Options of single commands, by their long name without dashes. */
  readonly own: Readonly<Record<string, string>>;
}

export type StopRequest = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGBREAK' | 'SIGUSR2' | 'disconnect';

/** The process around a command. */
export interface Terminal {
  /** A line of the answer. */
  readonly print: (line: string) => void;
  /** A line about what happens. */
  readonly complain: (line: string) => void;
  readonly files: Pick<ConfigWorld, 'readFile' | 'exists' | 'real' | 'firstLinkIn'>;
  readonly env: ConfigWorld['env'];
  readonly folder: string;
  /** Calls back with each request to stop, until the listener is removed: a signal, or the end of who started this process. */
  readonly onStop: (listener: (request: StopRequest) => void) => () => void;
  /** Starts another process of the same program, to serve clients. */
  readonly startWorker: StartWorker;
}
