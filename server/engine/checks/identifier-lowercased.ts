import type { CompiledStream } from '../plan/compile/compile.ts';
import type { Name } from '../sql/ast.ts';
import type { ConfigCheck } from './check.ts';

export const identifierLowercased: ConfigCheck = {
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

/** Returns the names of source tables and columns, and the client's column names. Other names can be folded without an effect. */
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
