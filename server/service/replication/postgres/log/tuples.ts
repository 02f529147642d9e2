/** Rows in messages of `pgoutput`. */
import type { ChangedRow } from '../../source.ts';
import { type Field, mostBytes, toKeyRow, tooLarge, toRow } from '../rows.ts';
import type { Relation } from './relations.ts';
import { unreadableMessage, type WalReader } from './walMessages.ts';

/** The letters that begin values. */
const kinds = { null: 110, text: 116, unchanged: 117 } as const;

export interface Tuple {
  readonly fields: Field[];
  /** The size of all fields together. */
  readonly bytes: number;
}

export function readTuple(reader: WalReader, { info, columns }: Relation): Tuple {
  const count = reader.int16();
  if (count !== columns.length)
    throw unreadableMessage(
      `a row of ${info.name} has another number of values (${count}) than the table has columns (${columns.length})`,
    );
  const fields: Field[] = new Array(count);
  let bytes = 0;
  for (let at = 0; at < count; at += 1) {
    const kind = reader.byte();
    if (kind === kinds.text) {
      const length = reader.int32();
      fields[at] = reader.text(length);
      bytes += length;
    } else if (kind === kinds.null) fields[at] = null;
    else if (kind === kinds.unchanged) fields[at] = undefined;
    else throw unreadableMessage(`it has a value of the unknown kind ${kind}`);
  }
  return { fields, bytes };
}

/** Fills in unchanged large values from the old row, if the source sent the complete row or its identity columns. */
export function fillUnchanged(after: Tuple, before: Tuple, { info, columns }: Relation): void {
  const isWhole = info.identityKind === 'full';
  for (const [at, { isKey }] of columns.entries()) {
    if (after.fields[at] === undefined && (isWhole || isKey)) after.fields[at] = before.fields[at];
  }
}

export function isTooLarge({ bytes }: Tuple): boolean {
  return bytes > mostBytes;
}

export function toChangedRow({ columns }: Relation, tuple: Tuple): ChangedRow {
  const { fields, bytes } = tuple;
  if (isTooLarge(tuple)) return { values: toKeyRow(columns, fields), failure: tooLarge(bytes) };
  const result = toRow(columns, fields);
  if (result.kind === 'failure') return { values: result.row, failure: result.message };
  if (!fields.includes(undefined)) return { values: result.row };
  const unchanged = columns.filter((_, at) => fields[at] === undefined).map(({ name }) => name);
  return { values: result.row, unchanged };
}
