/** Makes small damage to a config, as typing, pasting and deleting leave it. */
import type { Random } from './random.ts';
import { columns, reserved, tables } from './words.ts';

export function mutate(random: Random, text: string): string {
  let result = text;
  for (let count = random.pick([1, 1, 1, 1, 2]); count > 0; count--) result = mutateOnce(random, result);
  return result;
}

function mutateOnce(random: Random, text: string): string {
  return random.choose<string>([
    [20, () => onToken(random, text, () => '')],
    [8, () => onToken(random, text, (token) => `${token} ${token}`)],
    [20, () => onToken(random, text, () => random.pick(words))],
    [60, () => replaceByItsLike(random, text)],
    [10, () => swapTokens(random, text)],
    [12, () => onCharacter(random, text)],
    [8, () => onLine(random, text, () => [])],
    [6, () => onLine(random, text, (line) => [line, line])],
    [6, () => onLine(random, text, (line) => [` ${line}`])],
    [4, () => onLine(random, text, (line) => [line.replace(/^ /, '')])],
    [6, () => swapLines(random, text)],
    [5, () => onLine(random, text, (line) => [line.replace(/(:|-) .*$/, `$1 ${random.pick(values)}`)])],
    [5, () => text.replace(/edition: \d/, `edition: ${random.pick(['1', '2', '3', '4', '"3"', ''])}`)],
  ]);
}

const words: readonly string[] = [
  ...tables,
  ...columns,
  ...reserved,
  ...[
    '=',
    '<',
    'IN',
    'AND',
    'OR',
    'NOT',
    'NULL',
    '1',
    "'a'",
    '(',
    ')',
    ',',
    '.',
    '*',
    '&&',
    '||',
    '->>',
    ';',
    '-',
  ],
  ...['auth.user_id()', "auth.parameter('x')", "connection.parameter('x')", "subscription.parameter('x')"],
  ...[
    'request.user_id()',
    'bucket.x',
    'token_parameters.user_id',
    'JOIN',
    'ON',
    'WHERE',
    'FROM',
    'SELECT',
    'AS',
  ],
  ...[
    'LEFT',
    'LIMIT 1',
    'DISTINCT',
    '-- x',
    '/* x */',
    'json_each',
    'upper(id)',
    'CAST(id AS text)',
    '::text',
  ],
  ...[
    'streams',
    'bucket_definitions',
    'query',
    'queries',
    'data',
    'parameters',
    'with',
    'priority',
    'config',
  ],
];

/** Groups of words that can replace each other. */
const kinds: readonly (readonly string[])[] = [
  tables,
  columns,
  ['AND', 'OR', '=', 'AND NOT'],
  ['=', '!=', '<', '+', '||', '&&', 'IN', 'NOT IN', '*'],
  ['auth', 'connection', 'subscription', 'request', 'bucket'],
  ['parameter', 'parameters', 'user_id', 'jwt'],
  ['upper', 'lower', 'length', 'hex', 'ifnull', 'instr', 'json_array_length', 'coalesce'],
  ['JOIN', 'INNER JOIN', ',', 'LEFT JOIN'],
  ['1', '2', '0', 'NULL', 'TRUE', "'a'"],
  ['ARRAY', 'ROW', ''],
  ['true', 'false'],
];

const values = [
  '',
  '5',
  'true',
  'yes',
  '[]',
  '{}',
  '[a, b]',
  '{ a: b }',
  '*x',
  '&x y',
  '"',
  "'",
  '|',
  '>',
  '~',
];

/** Returns the words, numbers, strings and signs of a text, each with its offset. */
function tokensOf(text: string): { text: string; start: number }[] {
  return [...text.matchAll(/\w+|'[^'\n]*'|"[^"\n]*"|[^\s\w]/g)].map((match) => ({
    text: match[0],
    start: match.index,
  }));
}

function onToken(random: Random, text: string, change: (token: string) => string): string {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return text;
  const token = random.pick(tokens);
  return text.slice(0, token.start) + change(token.text) + text.slice(token.start + token.text.length);
}

/** A word, number or sign by another one of its kind: most often the config stays valid. */
function replaceByItsLike(random: Random, text: string): string {
  const places = tokensOf(text).flatMap((token) =>
    kinds.filter((kind) => kind.includes(token.text)).map((kind) => ({ token, kind })),
  );
  if (places.length === 0) return text;
  const { token, kind } = random.pick(places);
  return text.slice(0, token.start) + random.pick(kind) + text.slice(token.start + token.text.length);
}

function swapTokens(random: Random, text: string): string {
  const tokens = tokensOf(text);
  if (tokens.length < 2) return text;
  const at = random.int(tokens.length - 1);
  const [a, b] = tokens.slice(at, at + 2) as [
    { text: string; start: number },
    { text: string; start: number },
  ];
  const between = text.slice(a.start + a.text.length, b.start);
  return text.slice(0, a.start) + b.text + between + a.text + text.slice(b.start + b.text.length);
}

function onCharacter(random: Random, text: string): string {
  const at = random.int(text.length + 1);
  const sign = random.pick([...'abz09_.,;:\'"()[]{}*&|>-+=<!#%$?@^~`\\ \n\té😀']);
  const keep = random.choose([
    [2, () => at],
    [1, () => at + 1],
  ]);
  return random.chance(0.3)
    ? text.slice(0, at) + text.slice(at + 1)
    : text.slice(0, at) + sign + text.slice(keep);
}

function onLine(random: Random, text: string, change: (line: string) => string[]): string {
  const lines = text.split('\n');
  const at = random.int(lines.length);
  return [...lines.slice(0, at), ...change(lines[at] as string), ...lines.slice(at + 1)].join('\n');
}

function swapLines(random: Random, text: string): string {
  const lines = text.split('\n');
  if (lines.length < 2) return text;
  const at = random.int(lines.length - 1);
  const [a, b] = lines.slice(at, at + 2) as [string, string];
  return [...lines.slice(0, at), b, a, ...lines.slice(at + 2)].join('\n');
}
