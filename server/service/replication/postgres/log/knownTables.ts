/**
 * The tables that the log has described.
 *
 * 1. The log describes a table before its first change, and again after each change of its definition.
 * 2. The types of a table are read again before a row is given up, because the log does not report new fields of a row type.
 *    That happens once for each failure, so that rows with the same failure are given up at once.
 */
import type { TypeCatalog } from '../types.ts';
import { type Relation, type RelationMessage, type RelationSettings, toRelation } from './relations.ts';
import { unreadableMessage } from './walMessages.ts';

interface KnownTable {
  readonly message: RelationMessage;
  relation: Relation;
  /** Whether its types have been read again since then. */
  isOutdated: boolean;
  /** The failure of the last row that caused its types to be read again. */
  failure: string | undefined;
}

export class KnownTables {
  readonly #types: TypeCatalog;
  readonly #settings: RelationSettings;
  readonly #tables = new Map<number, KnownTable>();

  constructor(types: TypeCatalog, settings: RelationSettings) {
    this.#types = types;
    this.#settings = settings;
  }

  add(message: RelationMessage): Relation {
    const relation = toRelation(message, this.#types, this.#settings);
    this.#tables.set(message.oid, { message, relation, isOutdated: false, failure: undefined });
    return relation;
  }

  /** Returns the table, or undefined if its rows are not needed. */
  use(oid: number): Relation | undefined {
    const table = this.#tables.get(oid);
    if (table === undefined) throw unreadableMessage(`table ${oid} was not introduced`);
    if (table.isOutdated) {
      table.relation = toRelation(table.message, this.#types, this.#settings);
      table.isOutdated = false;
    }
    return table.relation.isUsed ? table.relation : undefined;
  }

  /** Returns the types to read again after the failure of a row (invariant 2). */
  outdate(oid: number, failure: string): readonly number[] | undefined {
    const table = this.#tables.get(oid);
    if (table === undefined || table.failure === failure) return undefined;
    table.failure = failure;
    table.isOutdated = true;
    const oids = table.message.columns.map(({ type }) => type);
    for (const type of oids) this.#types.forget(type);
    return oids;
  }
}
