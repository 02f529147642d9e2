/** The part of a batch that one transaction takes. */
import type { BatchLimits } from '../../../config/settings.ts';
import type { RowWrite, WriteBatch } from '../../storage.ts';

/** Its rows in their order. Its progress becomes durable with the last part, its last event with each. Never empty. */
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

/** Bytes, roughly: a character counts as one. */
export function sizeOf({ ops, current }: RowWrite): number {
  const stored = current?.values?.length ?? 0;
  return ops.reduce(
    (sum, { data = '', bucket, id }) => sum + data.length + bucket.length + id.length,
    stored,
  );
}
