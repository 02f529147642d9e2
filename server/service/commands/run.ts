/** Runs one command line: reads it and the service config, and explains failures. */
import manifest from '../../../package.json' with { type: 'json' };
import { loadSettings } from '../config/load.ts';
import type { ServiceSettings } from '../config/settings.ts';
import { systemClock } from '../ground/clock.ts';
import { openLog } from '../ground/logLines.ts';
import type { World } from '../ground/world.ts';
import { readServiceArguments } from './arguments.ts';
import type { Command, Terminal } from './command.ts';
import { exitCodeOf, exitCodes, explain } from './exitCodes.ts';
import { commands } from './index.ts';

export async function runService(given: readonly string[], terminal: Terminal): Promise<number> {
  const read = readServiceArguments(given);
  if (typeof read === 'string') return refuseUse(read, terminal);
  if (read.own.help !== undefined) return answer(help(commands), terminal);
  if (read.own.version !== undefined) return answer(manifest.version, terminal);
  const command = commands.find(({ name }) => name === read.command);
  if (command === undefined) return refuseUse(`There is no command ${read.command}. See --help.`, terminal);
  try {
    const { env, folder, files } = terminal;
    const { settings, warnings } = loadSettings(read.config, { env, folder, ...files });
    const world = worldOfCommand(settings, terminal);
    for (const warning of warnings) world.log.write('warn', warning);
    return await command.run({ settings, arguments: read, folder, world, terminal });
  } catch (error) {
    terminal.complain(explain(error));
    return exitCodeOf(error);
  }
}

export function worldOfCommand(
  settings: ServiceSettings,
  { env, complain }: Pick<Terminal, 'env' | 'complain'>,
): World {
  const clock = systemClock;
  const log = openLog({ ...settings.logging, secrets: secretsOf(settings), print: complain, clock });
  return { clock, log, env, fetch };
}

/** Returns the secrets of the settings. The log masks each of them, in case one ever gets there. */
function secretsOf({ api, connection, storage, clientAuth }: ServiceSettings): readonly string[] {
  return [
    ...api.tokens,
    ...[connection, storage].flatMap((each) => ('password' in each && each.password ? [each.password] : [])),
    ...clientAuth.keys.flatMap(({ k }) => (typeof k === 'string' ? [k] : [])),
    ...(clientAuth.supabase?.secret === undefined ? [] : [clientAuth.supabase.secret]),
  ];
}

function refuseUse(sentence: string, { complain }: Terminal): number {
  complain(sentence);
  return exitCodes.usage;
}

function answer(text: string, { print }: Terminal): number {
  print(text);
  return exitCodes.done;
}

function help(all: readonly Command[]): string {
  const rows = all.map(({ name, usage, summary }) => [`${name} ${usage}`.trim(), summary] as const);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    'Usage: node service.js [COMMAND] [OPTIONS]',
    '',
    ...rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    '  -c, --config FILE       Service config; default: powersync.yaml or service.yaml in the working directory',
    '  -c64, --config-base64   The service config itself, in Base64',
    '  -sync64, --sync-base64  The sync config itself, in Base64',
    '  -r, --role ROLE         unified (default), api or sync',
    '  --host HOST             Use this address instead of the one in the service config',
    '  --port PORT             Use this port instead of the one in the service config; 0 is any free port, 8080+ is 8080',
    '                          or, if that is taken, another port',
    '  --within PLACE          A folder or file that the config may use; all others are refused; may be repeated',
    '  --workers N             Serve clients in N separate processes; 0 (default): in this process',
    '  --json                  With test-connection: print the checks of the source as JSON, without opening the storage',
    '  --version               Show the version',
  ].join('\n');
}
