/** Reads command lines of the service. The options are those of the reference service, and a few more. */
import { type OptionShape, type ReadCommandLine, readArguments } from '../../shared/commandLine.ts';
import type { ConfigOptions, PortOption } from '../config/surroundings.ts';
import type { Arguments } from './command.ts';

/** The options. The first of several names is our own. */
const options = {
  configPath: { names: ['--config', '-c', '--config-path'], hasValue: true },
  configBase64: { names: ['--config-base64', '-c64'], hasValue: true },
  syncBase64: { names: ['--sync-base64', '-sync64'], hasValue: true },
  role: { names: ['--role', '-r', '--runner-type'], hasValue: true },
  host: { names: ['--host'], hasValue: true },
  port: { names: ['--port'], hasValue: true },
  databasePort: { names: ['--database-port'], hasValue: true },
  within: { names: ['--within'], hasValue: true },
  workers: { names: ['--workers'], hasValue: true },
  buckets: { names: ['--buckets', '-b'], hasValue: true },
  noParameterIndexes: { names: ['--no-parameter-indexes', '-p'], hasValue: false },
  json: { names: ['--json'], hasValue: false },
  incrementalOnly: { names: ['--incremental-only'], hasValue: false },
  help: { names: ['--help', '-h'], hasValue: false },
  version: { names: ['--version'], hasValue: false },
} as const satisfies Record<string, OptionShape>;

/** Reads arguments, or returns a sentence about the mistake in them. */
export function readServiceArguments(given: readonly string[]): Arguments | string {
  const line = readArguments(given, options);
  switch (line.kind) {
    case 'unknown option':
      return `There is no option ${line.flag}. See --help.`;
    case 'value missing':
      return `The option ${line.flag} needs a value.`;
    case 'value not allowed':
      return `The option ${line.flag} does not take a value.`;
    case 'read':
      return argumentsOf(line);
  }
}

function argumentsOf({ words, values }: ReadCommandLine<keyof typeof options>): Arguments | string {
  const last = Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1) ?? 'yes']));
  const { configPath, configBase64, syncBase64, role, host, port, databasePort, within, ...own } = last;
  const ports = { port, databasePort };
  const wrong = Object.values(ports).find((text) => text !== undefined && !isPort(portIn(text)));
  if (wrong !== undefined) return `${wrong} is not a port: it must be from 0 to 65535.`;
  if (own.workers !== undefined && !isNumberOfWorkers(own.workers))
    return `${own.workers} is not a number of workers: it must be from 0 to ${mostWorkers}.`;
  const [command = 'start', ...others] = words;
  return {
    command,
    words: others,
    config: {
      configPath,
      configBase64,
      syncBase64,
      role,
      host,
      port: port === undefined ? undefined : portIn(port),
      databasePort: databasePort === undefined ? undefined : portIn(databasePort),
      ...(within !== undefined && { within: values.get('within') ?? [] }),
      ...proposedIn(ports),
    },
    own,
  };
}

/** A suffix of a port that is only proposed. */
const orAnother = '+';

function portIn(text: string): number {
  return Number(text.endsWith(orAnother) ? text.slice(0, -1) : text);
}

function proposedIn(
  ports: Readonly<Record<PortOption, string | undefined>>,
): Pick<ConfigOptions, 'proposed'> {
  const names = ['port', 'databasePort'] as const;
  const proposed = names.filter((name) => ports[name]?.endsWith(orAnother));
  return proposed.length === 0 ? {} : { proposed };
}

/** The maximum number of workers. A larger number is probably a typing error, and so many workers would fill the memory. */
const mostWorkers = 256;

function isNumberOfWorkers(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= mostWorkers;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 0 && port <= 65535;
}
