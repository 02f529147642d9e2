/** The sentences for syntax errors: what stands there, what was expected, what to write instead. */
import type { SyntaxFix } from './ast.ts';
import type { Token } from './lexer.ts';

/** Where the parser stopped, and what it looked for. */
export interface Situation {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Index of the token that is reported. */
  readonly at: number;
  /** Index of the token that is wrong; the one before, when the reference would notice one token later. */
  readonly wrong: number;
  readonly expecting: Expecting;
}

export const tooTall = 'This expression has too many operators in a row. Split it.';

const expectations = {
  statement: 'Expected SELECT.',
  union: 'Expected UNION. Leave out the parentheses around SELECT.',
  'end of column': 'Expected a comma, AS or FROM.',
  'end of FROM': 'Expected a comma, JOIN or WHERE.',
  'end of condition': 'Expected an operator.',
  'end of clause': 'Expected the next clause.',
  'end of list': 'Expected a comma or a closing parenthesis.',
  'end of statement': 'Expected the end of the query.',
  value: 'Expected a value: a column, a text in single quotes, a number or a function.',
  'value in parentheses': 'Expected a value between the parentheses.',
  'more than a star': 'A star cannot stand alone in parentheses.',
  'no ALL': 'Leave out ALL before a parenthesis.',
  test: 'Expected NULL, NOT NULL, TRUE or FALSE behind IS.',
  'negated operator': 'Expected IN, LIKE or BETWEEN behind NOT.',
  'upper bound': 'Expected AND and the upper bound of BETWEEN.',
  key: 'Expected a key in single quotes or a whole number behind the arrow.',
  type: 'Expected a type: text, integer, real, numeric or blob.',
  length: 'Expected a whole number.',
  'text behind a type': 'Expected a text in single quotes.',
  'time zone': 'Expected TIME ZONE.',
  operator: 'Expected an operator.',
  'operator with schema': 'Expected a schema and a dot before the operator.',
  table: 'Expected a table.',
  'table of a schema': 'Expected a table name.',
  'table, not value': 'Expected a table.',
  'column of a table': 'Expected a column name.',
  name: 'Expected a name.',
  alias: 'Expected a name behind AS.',
  'alias of a subquery': 'A subquery in FROM needs a name. Write (SELECT …) AS q.',
  join: 'Expected JOIN.',
  ordinality: 'Expected ORDINALITY.',
  by: 'Expected BY.',
  'first or last': 'Expected FIRST or LAST.',
  rows: 'Expected ROWS.',
  only: 'Expected ONLY.',
  'lock mode': 'Expected UPDATE or SHARE.',
  locked: 'Expected LOCKED.',
  where: 'Expected WHERE.',
  'as and type': 'Expected AS and a type.',
  'from and start': 'Expected FROM and a position.',
  'result of WHEN': 'Expected THEN.',
  'end of CASE': 'Expected WHEN, ELSE or END.',
  'opening parenthesis': 'Expected an opening parenthesis.',
  'closing parenthesis': 'Expected a closing parenthesis.',
  'opening bracket': 'Expected an opening bracket [.',
  'closing bracket': 'Expected a closing bracket ].',
  'less depth': 'This is nested too deep.',
} as const;

/** What the parser looked for when it met something else. */
export type Expecting = keyof typeof expectations;

export function describe(situation: Situation): { problem: string; fix?: SyntaxFix } {
  const token = situation.tokens[situation.at] as Token;
  const expected = expectations[situation.expecting];
  if (token.kind === 'end') return { problem: `The query ends too early. ${expected}` };
  return { problem: `Unexpected \`${token.text}\`. ${expected}` };
}
