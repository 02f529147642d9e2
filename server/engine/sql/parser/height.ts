/** Limits the depth of expressions, because later stages recurse over them. */
import type { Expr, Statement } from '../ast.ts';
import { children, expressionsOf } from '../walk.ts';

/** Returns an expression that is nested more deeply than `limit`, if there is one. Does not recurse itself. */
export function tallExpression(statements: readonly Statement[], limit: number): Expr | undefined {
  const waiting: { expr: Expr; depth: number }[] = [];
  const visit = (statement: Statement, depth: number): void => {
    for (const expr of expressionsOf(statement)) waiting.push({ expr, depth });
  };
  for (const statement of everyStatement(statements)) visit(statement, 1);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { expr, depth } = next;
    if (depth > limit) return expr;
    for (const child of children(expr)) waiting.push({ expr: child, depth: depth + 1 });
    if (expr.kind === 'subquery') {
      for (const statement of everyStatement([expr.query])) visit(statement, depth + 1);
    }
  }
  return undefined;
}

/** Returns the statements, including subqueries in FROM. */
function everyStatement(statements: readonly Statement[]): Statement[] {
  const found = [...statements];
  for (const statement of found) {
    if (statement.kind === 'other') continue;
    for (const { source } of statement.from) if (source.kind === 'subquery') found.push(source.query);
  }
  return found;
}
