/** A client of a storage: it keeps rows by key, and a sum for each bucket. */
import type { BucketReader, OpId } from '../../../../server/service/storage/storage.ts';
import { type Line, linesOf, readAll } from './rig.ts';

export interface Client {
  readonly position: OpId;
  readonly buckets: ReadonlyMap<string, ClientBucket>;
  content(): Record<string, Record<string, string>>;
  sums(): { bucket: string; checksum: number }[];
}

interface ClientBucket {
  readonly rows: ReadonlyMap<string, string>;
  readonly sum: number;
}

export function newClient(buckets: readonly string[]): Client {
  return clientOf(0, new Map(buckets.map((bucket) => [bucket, { rows: new Map(), sum: 0 }])));
}

/** Another one at the checkpoint; this one stays as it is. */
export async function catchUp(client: Client, reader: BucketReader, checkpoint: OpId): Promise<Client> {
  const chunks = await readAll(reader, checkpoint, [...client.buckets.keys()], client.position);
  const buckets = [...client.buckets].map(([bucket, before]) => {
    const lines = linesOf(chunks.filter((chunk) => chunk.bucket === bucket));
    expectInOrder(lines, client.position, checkpoint);
    return [bucket, lines.reduce(apply, before)] as const;
  });
  return clientOf(checkpoint, new Map(buckets));
}

function clientOf(position: OpId, buckets: Client['buckets']): Client {
  return {
    position,
    buckets,
    content: () =>
      Object.fromEntries([...buckets].map(([bucket, { rows }]) => [bucket, Object.fromEntries(rows)])),
    sums: () => [...buckets].map(([bucket, { sum }]) => ({ bucket, checksum: sum })),
  };
}

function expectInOrder(lines: readonly Line[], after: OpId, upTo: OpId): void {
  let last = after;
  for (const { op_id } of lines) {
    const id = Number(op_id);
    if (id <= last || id > upTo) throw new Error(`Operation ${id} came after ${last}, up to ${upTo}`);
    last = id;
  }
}

function apply({ rows, sum }: ClientBucket, line: Line): ClientBucket {
  const key = `${line.object_type}/${line.object_id}/${line.subkey}`;
  const others = () => [...rows].filter(([other]) => other !== key);
  switch (line.op) {
    case 'PUT':
      return { rows: new Map([...others(), [key, line.data ?? '']]), sum: (sum + line.checksum) | 0 };
    case 'REMOVE':
      return { rows: new Map(others()), sum: (sum + line.checksum) | 0 };
    case 'MOVE':
      return { rows, sum: (sum + line.checksum) | 0 };
    case 'CLEAR':
      return { rows: new Map(), sum: line.checksum | 0 };
  }
}
