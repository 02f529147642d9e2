/** The type of a command of the service program. */
import type { ServiceSettings } from '../config/settings.ts';
import type { ConfigOptions, ConfigWorld } from '../config/surroundings.ts';
import type { World } from '../ground/world.ts';
import type { StartWorker } from '../workers/channel.ts';

export interface Command {
  readonly name: string;
  /** The text after the name, in the help. */
  readonly usage: string;
  readonly summary: string;
  /** Runs the command and returns its exit code: see `exitCodes.ts`. */
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
  /** The arguments that do not belong to an option. */
  readonly words: readonly string[];
  readonly config: ConfigOptions;
  /** Options of individual commands, by their long names without dashes. */
  readonly own: Readonly<Record<string, string>>;
}

export type StopRequest = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGBREAK' | 'SIGUSR2' | 'disconnect';

/** The process that runs a command. */
export interface Terminal {
  /** Prints a line of the answer. */
  readonly print: (line: string) => void;
  /** Prints a line of the log, or an error. */
  readonly complain: (line: string) => void;
  readonly files: Pick<ConfigWorld, 'readFile' | 'exists' | 'real' | 'firstLinkIn'>;
  readonly env: ConfigWorld['env'];
  readonly folder: string;
  /** Calls the listener for each request to stop, until it is removed. A request is a signal, or the end of the parent process. */
  readonly onStop: (listener: (request: StopRequest) => void) => () => void;
  /** Starts another process of the same program, to serve clients. */
  readonly startWorker: StartWorker;
}
