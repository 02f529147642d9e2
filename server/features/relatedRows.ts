/** Finds the rows that are related to the rows of a user, for tables without a column that contains the user's id. */

import { oncePer } from '../engine/ground/oncePer.ts';
import type { CatalogTable } from '../engine/model/catalog.ts';
import { toNamedTable } from '../engine/names/namedTables.ts';
import { keyBetween } from '../engine/names/relations.ts';
import { nameText } from '../engine/sql/names.ts';

export interface OwnedTable {
  readonly table: CatalogTable;
  /** The column that contains the id of the user. */
  readonly owner: string;
  /** The condition under which a row belongs to the user. */
  readonly condition: string;
}

interface KeyPair {
  /** The column of the table. */
  readonly own: string;
  /** The column of the user's row. */
  readonly other: string;
}

/**
 * Returns the condition under which a row of the table is related to a row of the user. Undefined if no key shows that any row is.
 *
 * @param tables all tables, because a row of the user may refer to the same row as this one
 */
export function relatedCondition(
  table: CatalogTable,
  owned: readonly OwnedTable[],
  tables: readonly CatalogTable[],
): string | undefined {
  const parents = tables.filter((parent) => keyFrom(table, parent) !== undefined);
  const ways = [
    // The row belongs to a row of the user, as an item belongs to a list.
    (user: OwnedTable) => [keyFrom(table, user.table)],
    // A row of the user refers to the row, as a membership refers to its team.
    (user: OwnedTable) => [keyTo(table, user)],
    // Both refer to the same row, as a task and a membership refer to a team.
    (user: OwnedTable) => parents.map((parent) => keyOfParent(table, user, parent)),
  ];
  const conditions = ways.flatMap((way) =>
    owned.flatMap((user) => way(user).flatMap((key) => (key === undefined ? [] : [among(key, user)]))),
  );
  return conditions[0];
}

function keyFrom(table: CatalogTable, other: CatalogTable): KeyPair | undefined {
  const key = keyBetween(namedTable(table), namedTable(other));
  return key && { own: key.from, other: key.to };
}

/** Returns the key by which rows of the user refer to a table. The column of the owner refers to users, not to other rows. */
function keyTo(table: CatalogTable, user: OwnedTable): KeyPair | undefined {
  const key = keyFrom(user.table, table);
  return key === undefined || key.own === user.owner ? undefined : { own: key.other, other: key.own };
}

function keyOfParent(table: CatalogTable, user: OwnedTable, parent: CatalogTable): KeyPair | undefined {
  const [own, other] = [keyFrom(table, parent), keyTo(parent, user)];
  return own === undefined || own.other !== other?.own ? undefined : { own: own.own, other: other.other };
}

const namedTable = oncePer(({ name, columns }: CatalogTable) => toNamedTable(name, [...columns.values()]));

function among({ own, other }: KeyPair, { table, condition }: OwnedTable): string {
  return `${nameText(own)} IN (SELECT ${nameText(other)} FROM ${nameText(table.name)} WHERE ${condition})`;
}
