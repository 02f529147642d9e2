/**
 * Capital letters without quotes
 *
 * As in PostgreSQL, a name without quotes is read in lower case. In the database the table or column may be called
 * otherwise, and then nothing is synced. Where the source's schema is known, a name that does not exist is reported
 * instead; in edition 3, names that are all in capitals are taken for a habit.
 *
 * Bad:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT id, listId FROM tasks
 * ```
 *
 * Good:
 *
 * ```yaml
 * bucket_definitions:
 *   all:
 *     data:
 *       - SELECT id, "listId" FROM tasks
 * ```
 */
import type { CompiledStream } from '../plan/compile/compile.ts';
import type { Name } from '../sql/ast.ts';
import type { Rule } from './rule.ts';

export const identifierLowercased: Rule = {
  code: 'identifier-lowercased',
  checkStream: ({ compiled, catalog, report }) => {
    if (catalog) return;
    for (const { text, name } of namesOfSource(compiled)) {
      const written = compiled.texts[text]?.sql.text.slice(name.span.start, name.span.end) ?? '';
      if (!name.folded || written === written.toUpperCase()) continue;
      report('identifier-lowercased', { text, span: name.span }, { name: written, folded: name.text });
    }
  },
};

interface PlacedName {
  readonly text: number;
  readonly name: Name;
}

/** Tables and columns of the source, and the names under which clients get columns. Others may be folded at will. */
function namesOfSource({ selects, resolutions, queries }: CompiledStream): readonly PlacedName[] {
  const tables = selects.flatMap(({ text, select, scope }) =>
    select.from.flatMap(({ source }, index) =>
      source.kind === 'table' && scope.items[index]?.kind === 'table' ? [{ text, name: source.name }] : [],
    ),
  );
  const columns = resolutions.flatMap(({ text, node, relation }) =>
    node.kind === 'reference' && relation.kind === 'table' ? [{ text, name: node.column }] : [],
  );
  const aliases = queries.flatMap(({ text, select }) =>
    select.columns.flatMap(({ alias }) => (alias ? [{ text, name: alias }] : [])),
  );
  return [...tables, ...columns, ...aliases];
}
