/** Decodes messages of `pgoutput` into change events. */
import { type Lsn, positionOf, toLsn } from '../../../ground/lsn.ts';
import type { ChangedRow, ChangeEvent } from '../../source.ts';
import { type Field, mostBytes, toKeyRow, tooLarge, toRow } from '../rows.ts';
import type { TypeCatalog } from '../types.ts';
import { markPrefix } from './position.ts';
import {
  type Relation,
  type RelationMessage,
  type RelationSettings,
  readRelation,
  toRelation,
} from './relations.ts';
import type { Visibility } from './visibility.ts';
import { unreadableMessage, type WalReader } from './walMessages.ts';

export interface Decoder {
  /**
   * Decodes one message, beginning with its tag. If it returns types, the message had no effect. In that case, wait until
   * everything that has arrived is visible, load the types, and decode the message again.
   */
  decode(reader: WalReader): readonly number[] | undefined;
  isInTransaction(): boolean;
}

type Emit = (event: ChangeEvent) => void;

/** The letters that begin messages and their parts. */
const letter = {
  begin: 66,
  commit: 67,
  delete: 68,
  insert: 73,
  key: 75,
  message: 77,
  newTuple: 78,
  oldTuple: 79,
  relation: 82,
  truncate: 84,
  update: 85,
  type: 89,
  null: 110,
  text: 116,
  unchanged: 117,
} as const;

/** A table as last described by the log. */
interface KnownTable {
  readonly message: RelationMessage;
  relation: Relation;
  /** Whether its types have been read again since then. */
  isOutdated: boolean;
  /** The failure of the last row that caused its types to be read again. */
  failure: string | undefined;
}

export function openDecoder(
  types: TypeCatalog,
  visibility: Pick<Visibility, 'began' | 'isKnown'>,
  settings: RelationSettings,
  emit: Emit,
): Decoder {
  const tables = new Map<number, KnownTable>();
  let inTransaction = false;
  /** The mark of the current transaction. Copies of a server assign the same ids, but not at the same time. */
  let mark = '';
  let transaction = 0;

  const useRelation = (oid: number): Relation | undefined => {
    const table = tables.get(oid);
    if (table === undefined) throw unreadableMessage(`table ${oid} was not introduced`);
    if (table.isOutdated) {
      table.relation = toRelation(table.message, types, settings);
      table.isOutdated = false;
    }
    return table.relation.isUsed ? table.relation : undefined;
  };

  /**
   * Returns the types to read again. The log does not report new fields of a row type, so types are read again before a row is
   * given up.
   */
  const outdatedTypes = (oid: number, tuple: Tuple, row: ChangedRow): readonly number[] | undefined => {
    const { failure } = row;
    if (failure === undefined || isTooLarge(tuple)) return undefined;
    const table = tables.get(oid);
    if (table === undefined || table.failure === failure) return undefined;
    table.failure = failure;
    table.isOutdated = true;
    const oids = table.message.columns.map(({ type }) => type);
    for (const type of oids) types.forget(type);
    return oids;
  };

  const introduce = (reader: WalReader): readonly number[] | undefined => {
    const message = readRelation(reader);
    const missing = message.columns.map(({ type }) => type).filter((oid) => !types.has(oid));
    if (missing.length > 0 || !visibility.isKnown()) return missing;
    const relation = toRelation(message, types, settings);
    tables.set(message.oid, { message, relation, isOutdated: false, failure: undefined });
    const logged = { columns: message.columns, transaction };
    emit({ kind: 'table', table: { ...relation.info, logged } });
    return undefined;
  };

  const insert = (reader: WalReader): readonly number[] | undefined => {
    const relation = useRelation(reader.int32());
    if (relation === undefined) return undefined;
    const { oid } = relation.info;
    expectLetter(reader, letter.newTuple);
    const tuple = readTuple(reader, relation);
    const row = toChangedRow(relation, tuple);
    const outdated = outdatedTypes(oid, tuple, row);
    if (outdated === undefined) emit({ kind: 'insert', oid, row });
    return outdated;
  };

  const update = (reader: WalReader): readonly number[] | undefined => {
    const relation = useRelation(reader.int32());
    if (relation === undefined) return undefined;
    const { oid } = relation.info;
    if (expectLetter(reader, letter.newTuple, letter.key, letter.oldTuple) === letter.newTuple) {
      const tuple = readTuple(reader, relation);
      const row = toChangedRow(relation, tuple);
      const outdated = outdatedTypes(oid, tuple, row);
      if (outdated === undefined) emit({ kind: 'update', oid, row });
      return outdated;
    }
    const before = readTuple(reader, relation);
    expectLetter(reader, letter.newTuple);
    const after = readTuple(reader, relation);
    const isWhole = relation.info.identityKind === 'full';
    fillUnchanged(after, before, relation, isWhole);
    const row = toChangedRow(relation, after);
    const outdated = outdatedTypes(oid, after, row);
    const old = toKeyRow(relation.columns, before.fields);
    if (outdated === undefined) emit({ kind: 'update', oid, row, old });
    return outdated;
  };

  const remove = (reader: WalReader): void => {
    const relation = useRelation(reader.int32());
    if (relation === undefined) return;
    expectLetter(reader, letter.key, letter.oldTuple);
    const { fields } = readTuple(reader, relation);
    emit({ kind: 'delete', oid: relation.info.oid, old: toKeyRow(relation.columns, fields) });
  };

  const truncate = (reader: WalReader): void => {
    const count = reader.int32();
    // CASCADE and RESTART IDENTITY do not matter here, because all tables that are emptied are listed.
    reader.skip(1);
    const oids = Array.from({ length: count }, () => reader.int32());
    const ours = oids.filter((oid) => useRelation(oid) !== undefined);
    if (ours.length > 0) emit({ kind: 'truncate', oids: ours });
  };

  const begin = (reader: WalReader): void => {
    // The position at which the record of the commit begins.
    const lsn = reader.lsn();
    inTransaction = true;
    const at = reader.time();
    transaction = reader.int32();
    mark = `${transaction} ${at}`;
    emit({ kind: 'begin', at, last: { lsn, mark } });
    visibility.began(transaction);
  };

  const commit = (reader: WalReader): void => {
    // Skips the flags. The first position is the beginning of the commit's record; the relevant position is its end.
    reader.skip(1);
    const from = before(reader.lsn());
    inTransaction = false;
    emit({ kind: 'commit', lsn: reader.lsn(), from, mark });
  };

  const message = (reader: WalReader): void => {
    const isTransactional = reader.byte() === 1;
    const lsn = reader.lsn();
    if (isTransactional || inTransaction || reader.string() !== markPrefix) return;
    const content = reader.text(reader.int32());
    emit({ kind: 'keepalive', lsn, marked: true, mark: content });
  };

  return {
    isInTransaction: () => inTransaction,
    decode: (reader) => {
      switch (reader.byte()) {
        case letter.insert:
          return insert(reader);
        case letter.update:
          return update(reader);
        case letter.delete:
          remove(reader);
          return undefined;
        case letter.begin:
          begin(reader);
          return undefined;
        case letter.commit:
          commit(reader);
          return undefined;
        case letter.relation:
          return introduce(reader);
        case letter.type:
          types.forget(reader.int32());
          return undefined;
        case letter.truncate:
          truncate(reader);
          return undefined;
        case letter.message:
          message(reader);
          return undefined;
        default:
          // Origins of changes, and messages of later versions, are ignored.
          return undefined;
      }
    },
  };
}

function before(lsn: Lsn): Lsn {
  return toLsn(positionOf(lsn) - 1n);
}

interface Tuple {
  readonly fields: Field[];
  /** The size of all fields together. */
  readonly bytes: number;
}

function expectLetter(reader: WalReader, ...expected: readonly number[]): number {
  const found = reader.byte();
  if (!expected.includes(found)) throw unreadableMessage(`it has a part of the unknown kind ${found}`);
  return found;
}

function readTuple(reader: WalReader, { info, columns }: Relation): Tuple {
  const count = reader.int16();
  if (count !== columns.length)
    throw unreadableMessage(
      `a row of ${info.name} has ${count} values, but the table has ${columns.length} columns`,
    );
  const fields: Field[] = new Array(count);
  let bytes = 0;
  for (let at = 0; at < count; at += 1) {
    const kind = reader.byte();
    if (kind === letter.text) {
      const length = reader.int32();
      fields[at] = reader.text(length);
      bytes += length;
    } else if (kind === letter.null) fields[at] = null;
    else if (kind === letter.unchanged) fields[at] = undefined;
    else throw unreadableMessage(`it has a value of the unknown kind ${kind}`);
  }
  return { fields, bytes };
}

/** Fills in unchanged large values from the old row, if the source sent the complete row or its identity columns. */
function fillUnchanged(after: Tuple, before: Tuple, { columns }: Relation, isWhole: boolean): void {
  for (const [at, { isKey }] of columns.entries()) {
    if (after.fields[at] === undefined && (isWhole || isKey)) after.fields[at] = before.fields[at];
  }
}

function isTooLarge({ bytes }: Tuple): boolean {
  return bytes > mostBytes;
}

function toChangedRow({ columns }: Relation, tuple: Tuple): ChangedRow {
  const { fields, bytes } = tuple;
  if (isTooLarge(tuple)) return { values: toKeyRow(columns, fields), failure: tooLarge(bytes) };
  const result = toRow(columns, fields);
  if (result.kind === 'failure') return { values: result.row, failure: result.message };
  if (!fields.includes(undefined)) return { values: result.row };
  const unchanged = columns.filter((_, at) => fields[at] === undefined).map(({ name }) => name);
  return { values: result.row, unchanged };
}
