/** Colours for terminals that can show them. */

export interface Paint {
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
}

const colours: Paint = {
  red: wrapIn(31, 39),
  yellow: wrapIn(33, 39),
  green: wrapIn(32, 39),
  blue: wrapIn(34, 39),
  dim: wrapIn(2, 22),
  bold: wrapIn(1, 22),
};

const same = (text: string): string => text;
const plain: Paint = { red: same, yellow: same, green: same, blue: same, dim: same, bold: same };

/** Returns no colours if `NO_COLOR` is set (https://no-color.org) or if the terminal cannot show them. */
export function paintFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb' ? colours : plain;
}

function wrapIn(on: number, off: number): (text: string) => string {
  return (text) => `\u001b[${on}m${text}\u001b[${off}m`;
}

/** Replaces control characters, so that a foreign text cannot control the terminal. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}
