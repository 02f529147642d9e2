/** Reads command lines of the service: those of the reference service, and a few more. */
import type { Arguments } from './command.ts';

interface Option {
  /** All its names, with dashes; the first is its own. */
  readonly names: readonly string[];
  readonly value: boolean;
}

const options = {
  configPath: { names: ['--config', '-c', '--config-path'], value: true },
  configBase64: { names: ['--config-base64', '-c64'], value: true },
  syncBase64: { names: ['--sync-base64', '-sync64'], value: true },
  role: { names: ['--role', '-r', '--runner-type'], value: true },
  host: { names: ['--host'], value: true },
  port: { names: ['--port'], value: true },
  buckets: { names: ['--buckets', '-b'], value: true },
  noParameterIndexes: { names: ['--no-parameter-indexes', '-p'], value: false },
  incrementalOnly: { names: ['--incremental-only'], value: false },
  help: { names: ['--help', '-h'], value: false },
  version: { names: ['--version'], value: false },
} as const satisfies Record<string, Option>;

type OptionName = keyof typeof options;

/** Returns a sentence about what is wrong instead. */
export function readArguments(given: readonly string[]): Arguments | string {
  const values: Partial<Record<OptionName, string>> = {};
  const words: string[] = [];
  const rest = [...given];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith('-')) {
      words.push(word);
      continue;
    }
    const [flag = word, inline] = splitAtEquals(word);
    const name = nameOf(flag);
    if (name === undefined) return `There is no option ${flag}. See --help.`;
    if (!options[name].value) values[name] = 'yes';
    else {
      const value = inline ?? rest.shift();
      if (value === undefined) return `The option ${flag} needs a value.`;
      values[name] = value;
    }
  }
  const { configPath, configBase64, syncBase64, role, host, port, ...own } = values;
  const portNumber = port === undefined ? undefined : Number(port);
  if (portNumber !== undefined && !isPort(portNumber))
    return `${port} is no port: it must be from 0 to 65535.`;
  const [command = 'start', ...others] = words;
  return {
    command,
    words: others,
    config: { configPath, configBase64, syncBase64, role, host, port: portNumber },
    own: own as Readonly<Record<string, string>>,
  };
}

/** `--port=8080`. Base64 may end in equals signs, and begins behind the first one. */
function splitAtEquals(word: string): readonly string[] {
  const at = word.indexOf('=');
  return word.startsWith('--') && at !== -1 ? [word.slice(0, at), word.slice(at + 1)] : [word];
}

function nameOf(flag: string): OptionName | undefined {
  const found = Object.entries(options).find(([, { names }]) => (names as readonly string[]).includes(flag));
  return found?.[0] as OptionName | undefined;
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 0 && port <= 65535;
}
