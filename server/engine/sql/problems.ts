/** The sentences for syntax errors: what stands there, what was expected, what to write instead. */
import type { Token } from './lexer.ts';

/** What the parser looked for when it met something else. */
export type Expecting = keyof typeof expectations;

const expectations = {
  statement: 'Expected SELECT.',
  column: 'Expected a column.',
  value: 'Expected a value.',
  condition: 'Expected a condition.',
  table: 'Expected a table.',
  name: 'Expected a name.',
  alias: 'A subquery needs an alias behind it.',
  type: 'Expected a type, such as text or integer.',
  key: "Expected a key in quotes ('key') or a whole number.",
  'closing parenthesis': 'Expected a closing parenthesis.',
  'closing bracket': 'Expected a closing bracket ].',
  'opening parenthesis': 'Expected an opening parenthesis.',
  'end of clause': 'Expected an operator, a comma or the next clause.',
  'end of statement': 'Expected the end of the query.',
  'is test': 'Expected NULL, TRUE or FALSE, perhaps with NOT before it.',
  and: 'Expected AND and the upper bound.',
  'then and its value': 'Expected THEN.',
  when: 'Expected WHEN, ELSE or END.',
  as: 'Expected AS and a type.',
  by: 'Expected BY.',
  join: 'Expected JOIN.',
  operator: 'Expected an operator.',
  number: 'Expected a number.',
  'less depth': 'This is nested too deep.',
} as const;

export function describe(_text: string, tokens: readonly Token[], at: number, expecting: Expecting): string {
  const token = tokens[at] as Token;
  const expected = expectations[expecting];
  if (token.kind === 'end') return `The query ends too early. ${expected}`;
  return `Unexpected \`${token.text}\`. ${expected}`;
}
