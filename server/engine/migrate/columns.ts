/** The columns that a query syncs. */
import type { RowRule, TablePattern } from '../plan/plan.ts';
import { nameText } from '../sql/names.ts';
import { type Names, valueSql } from './expressions.ts';

/**
 * Returns the columns of `*` in a bucket definition. They exclude columns whose names begin with `_`, which a stream would sync.
 * `written` is `*` if it means the same in a stream, or if the columns are unknown; otherwise, it is the list of names.
 */
export type StarColumns = (table: TablePattern) => {
  readonly written: '*' | readonly string[];
  /** The known columns. Empty if the table is unknown. */
  readonly known: ReadonlySet<string>;
};

export function columnsText(names: Names, rule: RowRule, starColumns: StarColumns): string {
  const own = new Set(rule.columns.flatMap((column) => (column.kind === 'column' ? [column.name] : [])));
  const prefix = names.row === undefined ? '' : `${nameText(names.row)}.`;
  const star = rule.columns.some(({ kind }) => kind === 'star') ? starColumns(rule.table) : undefined;
  const texts = rule.columns.flatMap((column) => {
    if (column.kind === 'column') {
      const { name, value } = column;
      const text = valueSql(names, value);
      if (value.kind === 'column' && value.name === name) return [text];
      const yields = column.yieldsToStar && star?.known.has(name);
      return [`${yields ? `ifnull(${text}, ${prefix}${nameText(name)})` : text} AS ${nameText(name)}`];
    }
    const found = column.visibleOnly && star ? star.written : '*';
    if (found === '*') return [`${prefix}*`];
    return found.filter((name) => !own.has(name)).map((name) => prefix + nameText(name));
  });
  return texts.join(', ');
}
