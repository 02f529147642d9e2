/** Reads the options of a run from the command line. */
import { parseArgs } from 'node:util';

export interface ScaleSizes {
  /** The sizes of copied tables, ascending. */
  readonly rows: readonly number[];
  /** The numbers of operations that are cleared, compacted, or in one transaction, ascending. */
  readonly operations: readonly number[];
  /** That share a bucket, ascending. */
  readonly clients: readonly number[];
  /** That serve from one storage. */
  readonly processes: readonly number[];
}

export interface ScaleOptions {
  /** Sections; all if there are none. */
  readonly names: readonly string[];
  /** A commit to compare with. */
  readonly before: string | undefined;
  /** Another build of the service, to measure instead of ours. */
  readonly service: string | undefined;
  readonly sizes: ScaleSizes;
  /** Milliseconds for one measurement: what takes longer is given up. */
  readonly patience: number;
}

export function readOptions(args: readonly string[]): ScaleOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      before: { type: 'string', default: process.env.HEADWATER_BEFORE },
      service: { type: 'string' },
      rows: { type: 'string', default: '100000,300000' },
      operations: { type: 'string', default: '200000' },
      clients: { type: 'string', default: '100,1000,5000' },
      processes: { type: 'string', default: '1,2,4' },
      minutes: { type: 'string', default: '4' },
    },
  });
  return {
    names: positionals,
    before: values.before,
    service: values.service,
    sizes: {
      rows: numbersOf(values.rows),
      operations: numbersOf(values.operations),
      clients: numbersOf(values.clients),
      processes: numbersOf(values.processes),
    },
    patience: Number(values.minutes) * 60_000,
  };
}

function numbersOf(text: string): number[] {
  const numbers = text.split(',').map(Number);
  if (!numbers.every((each) => Number.isInteger(each) && each > 0))
    throw new Error(`Sizes are whole numbers with commas between them, as in 100000,300000, not ${text}.`);
  return numbers.sort((a, b) => a - b);
}
