/** The operators that can be parsed, and how far they are supported. */

/** How far an operator is supported. `sqlite`: it compiles, but only the SQLite expression engine can evaluate it. */
type Support = 'yes' | 'sqlite' | 'no';

interface SqlOperator {
  /** The operator as in the syntax tree, such as `NOT LIKE`. */
  readonly op: string;
  readonly streams: Support;
  /** The support in bucket definitions, event payloads and streams of edition 2. */
  readonly before3: Support;
  readonly result: 'boolean' | 'number' | 'text' | 'json' | 'any';
  readonly doc: string;
  /** Advice about the replacement if the operator is not supported, as a complete sentence. */
  readonly instead?: string;
}

const useInstr = "For a prefix write substring(x, 1, n) = '…', for a part instr(x, '…') > 0.";
const useLower = `Compare lower(x). ${useInstr}`;
const noRegex = `Regular expressions are not supported. ${useInstr}`;
const useBetween = 'Write x >= low AND x <= high.';

const rows: readonly SqlOperator[] = [
  row('=', 'yes', 'yes', 'boolean', 'Equal. The result is NULL if either side is NULL.'),
  row('!=', 'yes', 'yes', 'boolean', 'Not equal. In a filter, it also matches if either side is NULL.'),
  row('<>', 'yes', 'yes', 'boolean', 'Not equal. In a filter, it also matches if either side is NULL.'),
  row('<', 'yes', 'yes', 'boolean', 'Less. Numbers are less than text, and text is less than blobs.'),
  row('<=', 'yes', 'yes', 'boolean', 'Less or equal.'),
  row('>', 'yes', 'yes', 'boolean', 'Greater.'),
  row('>=', 'yes', 'yes', 'boolean', 'Greater or equal.'),
  row('+', 'yes', 'yes', 'number', 'Sum. Text is read as a number.'),
  row('-', 'yes', 'yes', 'number', 'Difference. Text is read as a number.'),
  row('*', 'yes', 'yes', 'number', 'Product. Text is read as a number.'),
  row(
    '/',
    'yes',
    'yes',
    'number',
    'Quotient. For whole numbers, it is a whole number. Division by 0 returns NULL.',
  ),
  row('||', 'yes', 'yes', 'text', 'Joins two texts. The result is NULL if either side is NULL.'),
  row('AND', 'yes', 'yes', 'boolean', 'Both are true.'),
  row('OR', 'yes', 'yes', 'boolean', 'At least one is true.'),
  row('NOT', 'yes', 'yes', 'boolean', 'Is not true. NOT NULL is true.'),
  row('IS NULL', 'yes', 'yes', 'boolean', 'Has no value.'),
  row('IS TRUE', 'yes', 'no', 'boolean', 'Is exactly 1.', 'Write x = 1.'),
  row('IS FALSE', 'yes', 'no', 'boolean', 'Is exactly 0.', 'Write x = 0.'),
  row('BETWEEN', 'yes', 'no', 'boolean', 'Between two bounds, both included.', useBetween),
  row('NOT BETWEEN', 'yes', 'no', 'boolean', 'Outside of two bounds.', 'Write x < low OR x > high.'),
  row(
    'CASE',
    'yes',
    'no',
    'any',
    'The value of the first branch that is true.',
    'Write iif(condition, a, b).',
  ),
  row('IN', 'yes', 'yes', 'boolean', 'Equals a row of a subquery or an element of a JSON array.'),
  row('NOT IN', 'yes', 'no', 'boolean', 'Equals no element of a JSON array.', 'Write NOT (x = a OR x = b).'),
  row('&&', 'yes', 'no', 'boolean', 'Two lists share an element.', 'Make a query for each element.'),
  row('->', 'yes', 'yes', 'json', 'An element of JSON text, as JSON.'),
  row('->>', 'yes', 'yes', 'any', 'An element of JSON text, as a value.'),
  row('%', 'sqlite', 'no', 'number', 'Remainder.', 'Write x - x / n * n.'),
  row('&', 'sqlite', 'no', 'number', 'Bits that are set in both.', 'Store each flag in a column.'),
  row('|', 'sqlite', 'no', 'number', 'Bits that are set in either.', 'Store each flag in a column.'),
  row('<<', 'sqlite', 'no', 'number', 'Bits moved to the left.', 'Multiply by a power of 2.'),
  row('>>', 'sqlite', 'no', 'number', 'Bits moved to the right.', 'Divide by a power of 2.'),
  row('^', 'no', 'no', 'number', 'Power.', 'Multiply instead.'),
  row('#', 'no', 'no', 'number', 'Bits that differ.'),
  row('~', 'no', 'no', 'boolean', 'Matches a regular expression.', noRegex),
  row('!~', 'no', 'no', 'boolean', 'Does not match a regular expression.', noRegex),
  row('~*', 'no', 'no', 'boolean', 'Matches a regular expression, ignoring case.', noRegex),
  row('!~*', 'no', 'no', 'boolean', 'Does not match a regular expression, ignoring case.', noRegex),
  row('LIKE', 'no', 'no', 'boolean', 'Matches a pattern.', useInstr),
  row('NOT LIKE', 'no', 'no', 'boolean', 'Does not match a pattern.', useInstr),
  row('~~', 'no', 'no', 'boolean', 'Matches a pattern.', useInstr),
  row('!~~', 'no', 'no', 'boolean', 'Does not match a pattern.', useInstr),
  row('ILIKE', 'no', 'no', 'boolean', 'Matches a pattern, ignoring case.', useLower),
  row('NOT ILIKE', 'no', 'no', 'boolean', 'Does not match a pattern, ignoring case.', useLower),
  row('~~*', 'no', 'no', 'boolean', 'Matches a pattern, ignoring case.', useLower),
  row('!~~*', 'no', 'no', 'boolean', 'Does not match a pattern, ignoring case.', useLower),
  row('@>', 'no', 'no', 'boolean', 'Contains.', 'For one element write element IN list.'),
  row('<@', 'no', 'no', 'boolean', 'Is contained.', 'For one element write element IN list.'),
  row('?', 'no', 'no', 'boolean', 'Has a key.', "Write x -> 'key' IS NOT NULL."),
  row(
    '?|',
    'no',
    'no',
    'boolean',
    'Has one of the keys.',
    "Write x -> 'a' IS NOT NULL OR x -> 'b' IS NOT NULL.",
  ),
  row('?&', 'no', 'no', 'boolean', 'Has all keys.', "Write x -> 'a' IS NOT NULL AND x -> 'b' IS NOT NULL."),
  row('#>>', 'no', 'no', 'text', 'An element at a path.', "Write x -> 'a' ->> 'b'."),
  row('#-', 'no', 'no', 'json', 'Without the element at a path.'),
  row(
    'AT TIME ZONE',
    'no',
    'no',
    'text',
    'In another time zone.',
    'Dates are synced in UTC; convert in the app.',
  ),
];

function row(
  op: string,
  streams: Support,
  before3: Support,
  result: SqlOperator['result'],
  doc: string,
  instead?: string,
): SqlOperator {
  return { op, streams, before3, result, doc, ...(instead !== undefined && { instead }) };
}

export const operators: ReadonlyMap<string, SqlOperator> = new Map(rows.map((entry) => [entry.op, entry]));
