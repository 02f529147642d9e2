/**
 * Decodes messages of `pgoutput` into change events.
 *
 * 1. A message that asks for types has had no effect, so it can be decoded again.
 * 2. All tables are introduced while the transactions before them are visible, so that their types are not older.
 * 3. A transaction keeps its mark from its begin to its commit.
 */
import type { LogPosition } from '../../../ground/logPosition.ts';
import type { TableId } from '../../../ground/sourceIds.ts';
import type { ChangedRow, ChangeEvent } from '../../source.ts';
import { numberOf, toLsn } from '../lsn.ts';
import { toKeyRow } from '../rows.ts';
import type { TypeCatalog } from '../types.ts';
import { KnownTables } from './knownTables.ts';
import { markPrefix } from './position.ts';
import { type RelationSettings, readRelation } from './relations.ts';
import { fillUnchanged, isTooLarge, readTuple, type Tuple, toChangedRow } from './tuples.ts';
import type { Visibility } from './visibility.ts';
import { unreadableMessage, type WalReader } from './walMessages.ts';

/** The letters that begin messages and tuples. */
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
} as const;

interface DecoderParts {
  readonly types: TypeCatalog;
  readonly visibility: Pick<Visibility, 'began' | 'isKnown'>;
  readonly settings: RelationSettings;
  readonly emit: (event: ChangeEvent) => void;
}

export class Decoder {
  readonly #types: TypeCatalog;
  readonly #visibility: DecoderParts['visibility'];
  readonly #emit: DecoderParts['emit'];
  readonly #tables: KnownTables;
  #isInTransaction = false;
  /** The mark of the current transaction. Copies of a server assign the same ids, but not at the same time. */
  #mark = '';
  #transaction = 0;

  constructor({ types, visibility, settings, emit }: DecoderParts) {
    this.#types = types;
    this.#visibility = visibility;
    this.#emit = emit;
    this.#tables = new KnownTables(types, settings);
  }

  get isInTransaction(): boolean {
    return this.#isInTransaction;
  }

  /**
   * Decodes one message, beginning with its tag. If it returns types, the message had no effect. In that case, wait until
   * everything that has arrived is visible, load the types, and decode the message again.
   */
  decode(reader: WalReader): readonly number[] | undefined {
    switch (reader.byte()) {
      case letter.insert:
        return this.#insert(reader);
      case letter.update:
        return this.#update(reader);
      case letter.delete:
        return this.#delete(reader);
      case letter.begin:
        return this.#begin(reader);
      case letter.commit:
        return this.#commit(reader);
      case letter.relation:
        return this.#introduce(reader);
      case letter.type:
        this.#types.forget(reader.int32());
        return undefined;
      case letter.truncate:
        return this.#truncate(reader);
      case letter.message:
        return this.#take(reader);
      default:
        // Origins of changes, and messages of later versions, are ignored.
        return undefined;
    }
  }

  #introduce(reader: WalReader): readonly number[] | undefined {
    const message = readRelation(reader);
    const missing = message.columns.map(({ type }) => type).filter((oid) => !this.#types.has(oid));
    if (missing.length > 0 || !this.#visibility.isKnown()) return missing;
    const logged = { columns: message.columns, transaction: this.#transaction };
    this.#emit({ kind: 'table', table: { ...this.#tables.add(message).info, logged } });
    return undefined;
  }

  #insert(reader: WalReader): readonly number[] | undefined {
    const relation = this.#tables.use(reader.int32());
    if (relation === undefined) return undefined;
    const { sourceId: oid } = relation.info;
    expectLetter(reader, letter.newTuple);
    const tuple = readTuple(reader, relation);
    const row = toChangedRow(relation, tuple);
    const outdated = this.#outdated(oid, tuple, row);
    if (outdated === undefined) this.#emit({ kind: 'insert', sourceId: oid, row });
    return outdated;
  }

  #update(reader: WalReader): readonly number[] | undefined {
    const relation = this.#tables.use(reader.int32());
    if (relation === undefined) return undefined;
    const { sourceId: oid } = relation.info;
    let before: Tuple | undefined;
    if (expectLetter(reader, letter.newTuple, letter.key, letter.oldTuple) !== letter.newTuple) {
      before = readTuple(reader, relation);
      expectLetter(reader, letter.newTuple);
    }
    const after = readTuple(reader, relation);
    if (before !== undefined) fillUnchanged(after, before, relation);
    const row = toChangedRow(relation, after);
    const outdated = this.#outdated(oid, after, row);
    if (outdated !== undefined) return outdated;
    if (before === undefined) this.#emit({ kind: 'update', sourceId: oid, row });
    else this.#emit({ kind: 'update', sourceId: oid, row, old: toKeyRow(relation.columns, before.fields) });
    return undefined;
  }

  /** Returns the types to read again before the row is given up. */
  #outdated(oid: number, tuple: Tuple, { failure }: ChangedRow): readonly number[] | undefined {
    return failure === undefined || isTooLarge(tuple) ? undefined : this.#tables.outdate(oid, failure);
  }

  #delete(reader: WalReader): undefined {
    const relation = this.#tables.use(reader.int32());
    if (relation === undefined) return;
    expectLetter(reader, letter.key, letter.oldTuple);
    const { fields } = readTuple(reader, relation);
    this.#emit({ kind: 'delete', sourceId: relation.info.sourceId, old: toKeyRow(relation.columns, fields) });
  }

  #truncate(reader: WalReader): undefined {
    const count = reader.int32();
    // CASCADE and RESTART IDENTITY do not matter here, because all tables that are emptied are listed.
    reader.skip(1);
    const oids = Array.from({ length: count }, () => reader.int32() as TableId);
    const ours = oids.filter((oid) => this.#tables.use(oid) !== undefined);
    if (ours.length > 0) this.#emit({ kind: 'truncate', sourceIds: ours });
  }

  #begin(reader: WalReader): undefined {
    // The position at which the record of the commit begins.
    const lsn = reader.lsn();
    this.#isInTransaction = true;
    const at = reader.time();
    this.#transaction = reader.int32();
    this.#mark = `${this.#transaction} ${at}`;
    this.#emit({ kind: 'begin', at, last: { position: lsn, mark: this.#mark } });
    this.#visibility.began(this.#transaction);
  }

  #commit(reader: WalReader): undefined {
    // Skips the flags. The first position is the beginning of the commit's record; the relevant position is its end.
    reader.skip(1);
    const from = before(reader.lsn());
    this.#isInTransaction = false;
    this.#emit({ kind: 'commit', position: reader.lsn(), from, mark: this.#mark });
  }

  #take(reader: WalReader): undefined {
    const isTransactional = reader.byte() === 1;
    const lsn = reader.lsn();
    if (isTransactional || this.#isInTransaction || reader.string() !== markPrefix) return;
    const content = reader.text(reader.int32());
    this.#emit({ kind: 'keepalive', position: lsn, marked: true, mark: content });
  }
}

function before(lsn: LogPosition): LogPosition {
  return toLsn(numberOf(lsn) - 1n);
}

function expectLetter(reader: WalReader, ...expected: readonly number[]): number {
  const found = reader.byte();
  if (!expected.includes(found)) throw unreadableMessage(`it has a part of the unknown kind ${found}`);
  return found;
}
