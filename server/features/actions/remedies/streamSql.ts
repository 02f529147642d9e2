/** The SQL of one stream, as remedies read and write it. */
import type { Select } from '../../../engine/sql/ast.ts';
import type { Edit } from '../../../engine/text/edit.ts';
import { ownerOf, type WritableSql, writableTexts } from '../../reading/queries.ts';
import { isWritable } from '../refactorings/place.ts';
import { allSelects } from '../sqlEdits.ts';
import type { RemedyPlace } from './remedy.ts';

export interface StreamSql extends WritableSql {
  /** The result of its first SELECT: rows for clients, or values for a lookup. */
  readonly gives: 'rows' | 'values';
  /** The name of a CTE. */
  readonly name?: string;
}

/** Edits count in the SQL. */
export interface SqlRemedy {
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** Queries and CTEs, without those that comments would be lost of. */
export function sqlOf({ analysis, placed }: RemedyPlace): readonly StreamSql[] {
  const { definition } = placed;
  if (definition.kind !== 'stream') return [];
  return writableTexts(analysis)
    .filter((sql) => ownerOf(analysis, sql) === placed && isWritable(sql))
    .map((sql): StreamSql => {
      const name = definition.ctes.find(({ query }) => query === sql.text)?.name;
      return name === undefined ? { ...sql, gives: 'rows' } : { ...sql, gives: 'values', name };
    });
}

/** The SELECT that gives rows to clients. */
export function dataSelect(sql: StreamSql): Select | undefined {
  return sql.gives === 'rows' ? allSelects(sql)[0] : undefined;
}

/** SELECTs whose values something else is compared with. */
export function lookupsIn(sql: StreamSql): readonly Select[] {
  return sql.gives === 'rows' ? allSelects(sql).slice(1) : allSelects(sql);
}
