import type { SqlText } from '../model/definition.ts';
import type { CompiledQuery, Dependency, QueryRelation, SubqueryRelation } from '../plan/compile/compile.ts';
import type { Origin } from '../plan/expression.ts';
import type { ConfigCheck } from './check.ts';

export const unusedJoin: ConfigCheck = {
  code: 'unused-join',
  checkStream: ({ compiled, report }) => {
    for (const query of compiled.queries) {
      const used = usesOf(query);
      for (const { text, select, scope } of compiled.selects) {
        if (text !== query.text || select.from.length < 2) continue;
        for (const [index, { source }] of select.from.entries()) {
          const relation = scope.items[index];
          if (relation && !isUsed(relation, used, compiled.texts))
            report('unused-join', { text, span: source.span }, { table: relation.name });
        }
      }
    }
  },
};

interface Uses {
  readonly relations: ReadonlySet<Dependency>;
  readonly links: readonly Origin[];
}

/** Returns everything on which the output and the conditions of a query depend, and the places of the conditions. */
function usesOf({ output, branches = [] }: CompiledQuery): Uses {
  const relations = new Set<Dependency>(output.table ? [output.table] : []);
  const links: Origin[] = [];
  for (const link of branches.flatMap((branch) => branch.links)) {
    links.push(link.at);
    const sides = link.kind === 'match' ? [link.left, link.right] : [link.side];
    for (const { of } of sides.flatMap(({ value }) => value.uses)) {
      relations.add(of);
      if (of.kind === 'function' && typeof of.base !== 'string') relations.add(of.base);
    }
  }
  return { relations, links };
}

function isUsed(relation: QueryRelation, { relations, links }: Uses, texts: readonly SqlText[]): boolean {
  switch (relation.kind) {
    case 'broken':
      return true;
    case 'table':
    case 'function':
      return relations.has(relation);
    case 'subquery':
      return (
        [...relation.columns.values()].some((column) => column?.uses.some(({ of }) => relations.has(of))) ||
        links.some((link) => isInside(link, relation, texts))
      );
  }
}

/** Whether a place is inside the subquery or CTE. A condition there makes the subquery a test whether a row exists. */
function isInside(
  { text, span }: Origin,
  { cte, syntax }: SubqueryRelation,
  texts: readonly SqlText[],
): boolean {
  if (cte) return texts[text] === cte.query;
  return syntax.span.start <= span.start && span.end <= syntax.span.end;
}
