/** Reads command lines by a table of options, for `headwater` and for the service process. Each of them words its own messages. */

export interface OptionShape {
  /** The names with their dashes: `--config`, `-c`. */
  readonly names: readonly string[];
  readonly hasValue: boolean;
}

export interface ReadCommandLine<Name extends string> {
  readonly kind: 'read';
  /** Arguments without an option, and everything after `--`. */
  readonly words: readonly string[];
  /** The values of each given option. An option without a value has an empty list. */
  readonly values: ReadonlyMap<Name, readonly string[]>;
}

type CommandLineMistake<Name extends string> =
  | { readonly kind: 'unknown option'; readonly flag: string }
  | { readonly kind: 'value missing'; readonly flag: string; readonly option: Name }
  | { readonly kind: 'value not allowed'; readonly flag: string };

export function readArguments<Name extends string>(
  args: readonly string[],
  options: Readonly<Record<Name, OptionShape>>,
): ReadCommandLine<Name> | CommandLineMistake<Name> {
  const names = Object.keys(options) as Name[];
  const values = new Map<Name, readonly string[]>();
  const words: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') words.push(...rest.splice(0));
    else if (!arg.startsWith('-') || arg === '-') words.push(arg);
    else {
      const [flag, inline] = splitAtEquals(arg);
      const option = names.find((name) => options[name].names.includes(flag));
      if (option === undefined) return { kind: 'unknown option', flag };
      const before = values.get(option) ?? [];
      if (options[option].hasValue) {
        const value = inline ?? rest.shift();
        if (value === undefined) return { kind: 'value missing', flag, option };
        values.set(option, [...before, value]);
      } else if (inline === undefined) values.set(option, before);
      else return { kind: 'value not allowed', flag };
    }
  }
  return { kind: 'read', words, values };
}

/** Splits `--format=json` at the first equals sign, because a Base64 value may end in equals signs. */
function splitAtEquals(arg: string): readonly [flag: string, value: string | undefined] {
  const at = arg.indexOf('=');
  return arg.startsWith('--') && at !== -1 ? [arg.slice(0, at), arg.slice(at + 1)] : [arg, undefined];
}
