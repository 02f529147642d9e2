/** The SQL of one stream, in the form that remedies read and edit. */
import type { Select } from '../../../engine/sql/ast.ts';
import type { Edit } from '../../../engine/text/edit.ts';
import { ownerOf, type WritableSql, writableTexts } from '../../reading/queries.ts';
import { isWritable } from '../refactorings/place.ts';
import { allSelects } from '../sqlEdits.ts';
import type { RemedyPlace } from './remedy.ts';

export interface StreamSql extends WritableSql {
  /** Whether the first SELECT returns rows for clients or values for a lookup. */
  readonly gives: 'rows' | 'values';
  /** The name of the CTE; absent for a query. */
  readonly name?: string;
}

/** A remedy within one SQL text. The spans of its edits are relative to that text. */
export interface SqlRemedy {
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** Returns the queries and CTEs of a stream, except those whose comments would be lost. */
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

/** Returns the SELECT that returns rows to clients. */
export function dataSelect(sql: StreamSql): Select | undefined {
  return sql.gives === 'rows' ? allSelects(sql)[0] : undefined;
}

/** Returns the SELECTs with whose values another expression is compared. */
export function lookupsIn(sql: StreamSql): readonly Select[] {
  return sql.gives === 'rows' ? allSelects(sql).slice(1) : allSelects(sql);
}
