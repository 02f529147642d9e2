/**
 * Reports each complaint of an SDK once, in one line. An SDK without a connection repeats the same complaint every few seconds,
 * with its stack.
 */
export interface Complaints {
  readonly take: (line: string) => void;
  /** Something has arrived, so the next complaint is news. */
  readonly forget: () => void;
}

/** Characters of a line. */
const longest = 200;

export function toComplaints(print: (line: string) => void): Complaints {
  const told = new Set<string>();
  return {
    take(line) {
      // A stack, or what an error brings besides.
      if (/^(\s|\})/.test(line) || told.has(line)) return;
      told.add(line);
      print(line.length > longest ? `${line.slice(0, longest)} …` : line);
    },
    forget: () => told.clear(),
  };
}
