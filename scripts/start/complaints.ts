/**
 * Reports each complaint of an SDK once, in one line. Without a connection, an SDK repeats the same complaint and its stack every
 * few seconds.
 */
export interface Complaints {
  readonly take: (line: string) => void;
  /** Called when data has arrived, so that the next complaint is reported again. */
  readonly forget: () => void;
}

/** The maximum number of characters in a line. */
const longest = 200;

export function toComplaints(print: (line: string) => void): Complaints {
  const told = new Set<string>();
  return {
    take(line) {
      // The line belongs to a stack or to the properties of an error.
      if (/^(\s|\})/.test(line) || told.has(line)) return;
      told.add(line);
      print(line.length > longest ? `${line.slice(0, longest)} …` : line);
    },
    forget: () => told.clear(),
  };
}
