/** Colours for terminals that can show them. */
import { styleText } from 'node:util';

export interface Paint {
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
}

const colours: Paint = {
  red: styleOf('red'),
  yellow: styleOf('yellow'),
  green: styleOf('green'),
  blue: styleOf('blue'),
  dim: styleOf('dim'),
  bold: styleOf('bold'),
};

const same = (text: string): string => text;
const plain: Paint = { red: same, yellow: same, green: same, blue: same, dim: same, bold: same };

/**
 * Returns no colours if `NO_COLOR` is set (https://no-color.org) or if the terminal cannot show them. `FORCE_COLOR` decides before
 * both, as in Node: `0` and `false` mean no colours, and other values mean colours, also in a pipe such as the log of a CI.
 */
export function paintFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  const isForced = env.FORCE_COLOR === undefined ? undefined : !['0', 'false'].includes(env.FORCE_COLOR);
  return (isForced ?? (isTerminal && !env.NO_COLOR && env.TERM !== 'dumb')) ? colours : plain;
}

/** The environment of the call decides, not that of the process. */
function styleOf(format: 'red' | 'yellow' | 'green' | 'blue' | 'dim' | 'bold'): (text: string) => string {
  return (text) => styleText(format, text, { validateStream: false });
}

/** Replaces control characters, so that a foreign text cannot control the terminal. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}
