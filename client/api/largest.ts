/** The largest buckets of a service. Only our service reports them. */
import { dataOf } from './answers.ts';
import { fieldsOf, listOf, numberIn, present, textIn } from './reading.ts';

interface LargestBuckets {
  readonly buckets: readonly LargeBucket[];
  /** The number of examined buckets. */
  readonly counted: number;
  /** Whether the list contains all buckets. */
  readonly isWhole: boolean;
}

export interface LargeBucket {
  readonly name: string;
  /** The number of operations that a new client gets. */
  readonly operations: number;
  /** Absent if there were too many to count. */
  readonly rows?: number;
}

/** Returns undefined if the value does not contain the largest buckets. */
export function readLargest(value: unknown): LargestBuckets | undefined {
  const data = dataOf(value);
  if (!Array.isArray(data?.buckets)) return undefined;
  return {
    buckets: listOf(data.buckets).map((each) => {
      const fields = fieldsOf(each);
      return present({
        name: textIn(fields, 'name') ?? '',
        operations: numberIn(fields, 'operations') ?? 0,
        rows: numberIn(fields, 'rows'),
      });
    }),
    counted: numberIn(data, 'counted_buckets') ?? 0,
    isWhole: data.complete === true,
  };
}
