/** Prints a syntax tree as text, with parentheses around every operation, so that its precedence is visible. */
import type { Expr, FromSource, Name, Statement } from '../../../server/engine/sql/ast.ts';
import { parseSql } from '../../../server/engine/sql/parser/parser.ts';

/** Returns the tree of an expression. Throws if the expression cannot be parsed. */
export function expressionTree(expression: string): string {
  const { statements, problems } = parseSql(`SELECT ${expression}`);
  if (problems[0]) throw new Error(`${expression}: ${problems[0].problem}`);
  const [statement] = statements;
  if (statement?.kind !== 'select' || statement.columns.length !== 1)
    throw new Error(`${expression}: not one column`);
  return printExpr((statement.columns[0] as { expr: Expr }).expr);
}

/** Returns the trees of all statements of a text, even if the text has problems. */
export function statementTrees(text: string): string {
  return parseSql(text).statements.map(printStatement).join('; ');
}

export function printStatement(statement: Statement): string {
  if (statement.kind === 'other') return `<${statement.what}>`;
  const columns = statement.columns.map(
    ({ expr, alias }) => printExpr(expr) + (alias ? ` AS ${printName(alias)}` : ''),
  );
  const from = statement.from.map(
    ({ source, join }) =>
      `${join ? ` ${join.kind} JOIN ` : ', '}${printSource(source)}${join?.on ? ` ON ${printExpr(join.on)}` : ''}${
        join?.using ? ' USING' : ''
      }`,
  );
  return [
    statement.distinct ? 'SELECT DISTINCT' : 'SELECT',
    columns.join(', '),
    from.length > 0 ? `FROM ${from.join('').replace(/^(, | )/, '')}` : '',
    statement.where ? `WHERE ${printExpr(statement.where)}` : '',
    ...statement.refused.map(({ clause }) => clause),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function printSource(source: FromSource): string {
  const alias = source.alias
    ? ` AS ${printName(source.alias.name)}${source.alias.columns ? `(${source.alias.columns.map(printName).join(', ')})` : ''}`
    : '';
  switch (source.kind) {
    case 'table':
      return qualified(source.schema, source.name) + alias;
    case 'function':
      return `${qualified(source.schema, source.name)}(${printAll(source.args)})${alias}`;
    case 'subquery':
      return `(${printStatement(source.query)})${alias}`;
  }
}

export function printExpr(expr: Expr): string {
  switch (expr.kind) {
    case 'literal':
      return expr.value.type === 'text'
        ? `'${expr.value.value}'`
        : expr.value.type === 'null'
          ? 'NULL'
          : String(expr.value.value);
    case 'reference':
      return qualified(expr.schema, expr.table, expr.column);
    case 'star':
      return `${[expr.schema, expr.table].flatMap((name) => (name ? [`${printName(name)}.`] : [])).join('')}*`;
    case 'call':
      return `${qualified(expr.schema, expr.name)}(${printAll(expr.args)})${expr.modifiers.map(({ word }) => ` ${word}`).join('')}`;
    case 'unary':
      return `(${expr.op} ${printExpr(expr.operand)})`;
    case 'binary':
      return `(${printExpr(expr.left)} ${expr.op} ${printExpr(expr.right)})`;
    case 'in':
      return `(${printExpr(expr.left)} ${expr.negated ? 'NOT IN' : 'IN'} ${printExpr(expr.right)})`;
    case 'is':
      return `(${printExpr(expr.operand)} IS ${expr.negated ? 'NOT ' : ''}${expr.test.toUpperCase()})`;
    case 'between':
      return `(${printExpr(expr.operand)} ${expr.negated ? 'NOT ' : ''}BETWEEN ${printExpr(expr.low)} AND ${printExpr(expr.high)})`;
    case 'case':
      return [
        '(CASE',
        ...(expr.operand ? [printExpr(expr.operand)] : []),
        ...expr.branches.flatMap((branch) => [
          'WHEN',
          printExpr(branch.when),
          'THEN',
          printExpr(branch.then),
        ]),
        ...(expr.otherwise ? ['ELSE', printExpr(expr.otherwise)] : []),
        'END)',
      ].join(' ');
    case 'cast':
      return `CAST(${printExpr(expr.operand)} AS ${expr.type.text}${expr.type.array ? '[]' : ''})`;
    case 'member':
      return `(${printExpr(expr.operand)} ${expr.op} ${printExpr(expr.key)})`;
    case 'index':
      return `${printExpr(expr.operand)}[${printExpr(expr.index)}]`;
    case 'list':
      return `${{ parentheses: '[', row: 'ROW[', array: 'ARRAY[' }[expr.form]}${printAll(expr.items)}]`;
    case 'subquery':
      return `(${printStatement(expr.query)})`;
    case 'parameter':
      return expr.text;
    case 'keyword':
      return expr.word.toUpperCase();
    case 'special':
      return `${expr.form.toUpperCase()}<${printAll(expr.args)}>`;
    case 'unreadable':
      return '¿';
  }
}

function printAll(exprs: readonly Expr[]): string {
  return exprs.map(printExpr).join(', ');
}

function qualified(...names: readonly (Name | undefined)[]): string {
  return names.flatMap((name) => (name ? [printName(name)] : [])).join('.');
}

function printName(name: Name): string {
  return name.quoted ? `"${name.text}"` : name.text;
}
