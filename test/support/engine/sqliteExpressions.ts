/** Random expressions that mean the same in a stream and in SQLite. A test names the columns in them. */
import type { Random } from '../../differential/random.ts';

const literals = ['NULL', '0', '1', '2', '-3', '2.5', "'5'", "'2.0'", "'x'", "''", "' 7 '", "'1e2'", "'0.5'"];
const comparisons = ['=', '!=', '<', '<=', '>', '>='];
// `/` is left out, because the number of digits of a long fraction varies with the version of SQLite.
const operators = ['+', '-', '*', '%', '&', '|', '<<', '>>', '||'];
const types = ['text', 'integer', 'real', 'numeric', 'blob'];

export function randomExpression(random: Random, columns: readonly string[], depth = 3): string {
  const x = () => randomExpression(random, columns, depth - 1);
  const leaf = () => (random.chance(0.6) ? random.pick(columns) : random.pick(literals));
  if (depth === 0) return leaf();
  return random.choose<string>([
    [4, leaf],
    [4, () => `(${x()} ${random.pick(operators)} ${x()})`],
    [4, () => `(${x()} ${random.pick(comparisons)} ${x()})`],
    [2, () => `(${x()} ${random.pick(['AND', 'OR'])} ${x()})`],
    [1, () => `(NOT ${x()})`],
    [1, () => `(${x()} IS ${random.pick(['', 'NOT '])}${random.pick(['NULL', 'TRUE', 'FALSE'])})`],
    [1, () => `(${x()} ${random.pick(['', 'NOT '])}BETWEEN ${x()} AND ${x()})`],
    [3, () => `CAST(${x()} AS ${random.pick(types)})`],
    [1, () => `CASE WHEN ${x()} THEN ${x()} ELSE ${x()} END`],
    [1, () => `CASE ${x()} WHEN ${x()} THEN ${x()} WHEN ${x()} THEN ${x()} END`],
    [2, () => call(random, x)],
  ]);
}

function call(random: Random, x: () => string): string {
  return random.pick([
    () => `upper(${x()})`,
    () => `length(${x()})`,
    () => `substring(${x()}, ${x()})`,
    () => `substring(${x()}, ${x()}, ${x()})`,
    () => `instr(${x()}, ${x()})`,
    () => `hex(${x()})`,
    () => `typeof(${x()})`,
    () => `ifnull(${x()}, ${x()})`,
    () => `iif(${x()}, ${x()}, ${x()})`,
  ])();
}
