/** Divides a batch into parts, each for one transaction. */
import type { BatchLimits } from '../../../config/settings.ts';
import type { RowWrite, WriteBatch } from '../../storage.ts';

/**
 * Returns the parts, with the rows in order; there is at least one part. The last part contains the progress, and each part
 * contains the last event.
 */
export function partsOf(
  { rows, progress, last }: WriteBatch,
  { maxRecordCount, maxEstimatedSize }: Pick<BatchLimits, 'maxRecordCount' | 'maxEstimatedSize'>,
): readonly WriteBatch[] {
  const parts: RowWrite[][] = [[]];
  let size = 0;
  for (const row of rows) {
    const last = parts.at(-1) ?? [];
    const own = sizeOf(row);
    if (last.length > 0 && (last.length >= maxRecordCount || size + own > maxEstimatedSize)) {
      parts.push([row]);
      size = own;
    } else {
      last.push(row);
      size += own;
    }
  }
  return parts.map((part, index) => ({
    rows: part,
    ...(progress !== undefined && index === parts.length - 1 && { progress }),
    ...(last !== undefined && { last }),
  }));
}

/** Returns the approximate size in bytes. A character counts as one byte. */
export function sizeOf({ ops, current }: RowWrite): number {
  const stored = current?.values?.length ?? 0;
  return ops.reduce(
    (sum, { data = '', bucket, id }) => sum + data.length + bucket.length + id.length,
    stored,
  );
}
