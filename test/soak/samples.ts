/** A sample of a process. Samples over time show whether the process grows. */
export interface Sample {
  /** The time since the start of the process. */
  readonly seconds: number;
  /** Memory in use after a garbage collection. */
  readonly heapMiB: number;
  /** Memory as the system counts it, which includes memory that was freed but not returned to the system. */
  readonly rssMiB: number;
  readonly handles: number;
  /** The 99th percentile of the delay of the event loop since the last sample. */
  readonly delayMs: number;
}

type Measure = Exclude<keyof Sample, 'seconds'>;

interface Limit {
  readonly name: string;
  /** The allowed growth from the second third to the last third of the samples: a factor, and an amount in addition. */
  readonly factor: number;
  readonly slack: number;
}

const limits: Readonly<Record<Measure, Limit>> = {
  heapMiB: { name: 'heap in use (MiB)', factor: 1.05, slack: 4 },
  rssMiB: { name: 'resident (MiB)', factor: 1.15, slack: 24 },
  handles: { name: 'handles', factor: 1, slack: 12 },
  // The limit is high, because other programs also use the machine.
  delayMs: { name: 'loop delay p99 (ms)', factor: 3, slack: 60 },
};

const measures = Object.keys(limits) as readonly Measure[];

/** The smallest number of samples that can show growth. */
const fewest = 9;

/**
 * Compares the medians of the second and the last third, because a process warms up in the first third. Returns one
 * sentence for each value that grew.
 */
export function growthIn(samples: readonly Sample[]): readonly string[] {
  if (samples.length < fewest) return [`There are ${samples.length} samples: at least ${fewest} are needed.`];
  const third = Math.floor(samples.length / 3);
  const before = samples.slice(third, 2 * third);
  const after = samples.slice(2 * third);
  return measures.flatMap((measure) => {
    const { name, factor, slack } = limits[measure];
    const [from, to] = [before, after].map((part) => medianOf(part.map((sample) => sample[measure])));
    if (from === undefined || to === undefined || to <= from * factor + slack) return [];
    return [`${name} grew from ${from.toFixed(1)} to ${to.toFixed(1)}.`];
  });
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The limit of rows in the table, apart from the row of the last sample. */
const mostRows = 16;

export function tableOf(samples: readonly Sample[]): string {
  const step = Math.max(1, Math.ceil(samples.length / mostRows));
  const shown = samples.filter((_, at) => at % step === 0 || at === samples.length - 1);
  const head = ['seconds', ...measures.map((measure) => limits[measure].name)];
  const rows = shown.map((sample) => [
    String(sample.seconds),
    ...measures.map((measure) => cell(sample[measure])),
  ]);
  return [head, ...rows]
    .map((row) => row.map((text, at) => text.padStart(head[at]?.length ?? 0)).join('  '))
    .join('\n');
}

function cell(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
