/** The stored form of operations: the text of their line, which is created once, so that serving it is only copying. */
import type { NewOp, OpId } from './storage.ts';

/** The kinds of operations, as stored. */
export const kinds = { PUT: 0, REMOVE: 1, MOVE: 2, CLEAR: 3 } as const;

export function textOfOp({ op, type, id, checksum, subkey, data }: NewOp, opId: OpId): string {
  return JSON.stringify({
    op_id: `${opId}`,
    op,
    object_type: type,
    object_id: id,
    checksum,
    subkey,
    data: data ?? null,
  });
}

export function textOfMove(id: OpId, checksum: number): string {
  return `{"op_id":"${id}","op":"MOVE","checksum":${checksum}}`;
}

export function textOfClear(id: OpId, checksum: number): string {
  return `{"op_id":"${id}","op":"CLEAR","checksum":${checksum}}`;
}

/** The end of the text before the data. JSON escapes quotation marks in strings, so this can only be a field. */
const beforeData = ',"data":';

export function headOf(text: string): string {
  return text.slice(0, text.indexOf(beforeData) + 1);
}

/** The same for a column, as SQL for PostgreSQL. */
export const headOfJson = `substr(json, 1, strpos(json, '${beforeData}'))`;

/** Returns the row of a PUT or REMOVE from its head: type, id and subkey. */
export function keyOfHead(head: string): string {
  const type = head.indexOf(',"object_type":');
  const checksum = head.indexOf(',"checksum":', type);
  const subkey = head.indexOf(',"subkey":', checksum);
  return head.slice(type, checksum) + head.slice(subkey);
}
