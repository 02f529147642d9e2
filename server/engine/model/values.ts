/** Reads values that several maps of a config share: SQL texts, priorities and common table expressions. */
import type { ParsedSql } from '../sql/ast.ts';
import type { YamlNode, YamlScalar } from '../yaml/nodes.ts';
import { sourceMap } from '../yaml/sourceMap.ts';
import type { Cte, Priority, SqlText } from './definition.ts';
import { argsAt, checkName, nameOfKey, names, type ReadValue, type SourceText } from './shape.ts';
import { parseAndKeep } from './trees.ts';

export const sqlText: ReadValue<SqlText> = (source, node, key) => {
  if (node.kind === 'scalar' && node.value !== null) return readSql(source, node);
  source.report('expected-scalar', node.span, { ...argsAt(node, key), ...queryMeant(node, key) });
  return undefined;
};

/** Returns advice about a list or map in the place of a query. */
function queryMeant({ kind }: YamlNode, key: string): { instead?: string } {
  if (kind === 'sequence' && key === 'query')
    return { instead: 'For a list of queries, use the key `queries`.' };
  return kind === 'map' ? { instead: 'Write the SQL of the query here, without a key.' } : {};
}

function readSql({ text, report }: SourceText, scalar: YamlScalar): SqlText {
  const sql = parseAndKeep(scalar.text);
  const place = sourceMap(text, scalar);
  const cut = sql.problems.length > 0 && isCutByComment(text, scalar);
  for (const { span, problem } of sql.problems)
    report('sql-syntax', place(span), { problem: cut ? comments : problem });
  const subject = subjectOf(sql);
  return { sql, span: scalar.span, style: scalar.style, place, ...(subject !== undefined && { subject }) };
}

function subjectOf({ statements: [query] }: ParsedSql): string | undefined {
  const source = query?.kind === 'select' ? query.from[0]?.source : undefined;
  return source?.alias?.name.text ?? (source?.kind === 'table' ? source.name.text : undefined);
}

const comments = 'The text ends before ` #`, where YAML starts a comment. Write it as a block (`|`).';

/** Whether a comment cuts off a plain scalar after an opening quote and before its closing quote. */
function isCutByComment(source: string, { style, text, span }: YamlScalar): boolean {
  const isOpen = text.split("'").length % 2 === 0;
  return style === 'plain' && isOpen && /^[ \t]+#/.test(source.slice(span.end, span.end + 20));
}

/** Reads one SQL text, or a list of SQL texts. */
export const sqlOrList: ReadValue<readonly SqlText[]> = (source, node, key) => {
  if (node.kind === 'sequence') return node.items.flatMap((item) => sqlText(source, item, key) ?? []);
  if (node.kind === 'map') {
    source.report('parameters-wrong-type', node.span, {});
    return undefined;
  }
  const text = sqlText(source, node, key);
  return text && [text];
};

export const priority: ReadValue<Priority> = ({ report }, node) => {
  if (node.kind === 'scalar' && isPriority(node.value)) return node.value;
  report('invalid-priority', node.span, {});
  return undefined;
};

function isPriority(value: unknown): value is Priority {
  return value === 0 || value === 1 || value === 2 || value === 3;
}

export const ctes: ReadValue<readonly Cte[]> = names(readCte);

/** Reads one entry of `with`, of the file or of a stream. */
export function readCte(source: SourceText, key: YamlNode, value: YamlNode): Cte | undefined {
  checkName(source, key);
  const name = nameOfKey(source.text, key);
  const query = sqlText(source, value, name);
  return query && { name, nameSpan: key.span, query };
}
