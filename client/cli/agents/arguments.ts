/** Writes the options of a tool as options of a command line. No value can be mistaken for an option. */

type OptionValues = Readonly<Record<string, string | readonly string[] | true | undefined>>;

export function argumentsOf(
  words: readonly string[],
  options: OptionValues,
  file: string | undefined,
): readonly string[] {
  return [
    ...words,
    ...Object.entries(options).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (value === true) return [`--${name}`];
      return [value].flat().map((each) => `--${name}=${each}`);
    }),
    ...(file === undefined ? [] : ['--', file]),
  ];
}
