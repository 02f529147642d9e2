/** YAML text of a small tree, in varying styles. */
import type { Random } from './random.ts';

/** A map, a list, an SQL text (any style), or anything else, which is written as it is. */
export type Tree =
  | { readonly map: readonly (readonly [key: string, value: Tree])[] }
  | { readonly list: readonly Tree[] }
  | { readonly sql: string }
  | { readonly raw: string };

export function writeYaml(random: Random, tree: Tree): string {
  const breaks = random.chance(0.04) ? '\r\n' : '\n';
  const start = random.choose([
    [90, () => ''],
    [4, () => '# a comment\n'],
    [3, () => '---\n'],
    [2, () => '\uFEFF'],
    [1, () => '\n'],
  ]);
  const lines = block(random, tree, 0);
  return `${start}${lines.join('\n')}${random.chance(0.9) ? '\n' : ''}`.replaceAll('\n', breaks);
}

/** The lines of a node that has its own lines. */
function block(random: Random, tree: Tree, indent: number): string[] {
  const pad = ' '.repeat(indent);
  if ('map' in tree)
    return tree.map.length === 0
      ? [`${pad}{}`]
      : tree.map.flatMap(([key, value]) => entry(random, `${pad}${key}:`, value, indent));
  if ('list' in tree)
    return tree.list.length === 0
      ? [`${pad}[]`]
      : tree.list.flatMap((item) => entry(random, `${pad}-`, item, indent));
  return entry(random, pad, tree, indent);
}

/** A node after a key or a dash. */
function entry(random: Random, head: string, tree: Tree, indent: number): string[] {
  if ('raw' in tree) return [`${head} ${tree.raw}`.trimEnd()];
  if ('sql' in tree) return scalar(random, head, tree.sql, indent + 2);
  const empty = 'map' in tree ? tree.map.length === 0 : tree.list.length === 0;
  if (empty) return [`${head} ${'map' in tree ? '{}' : '[]'}`];
  const inner = 'list' in tree && random.chance(0.15) && head.endsWith(':') ? indent : indent + 2;
  return [`${head}${random.chance(0.03) ? ' # why' : ''}`, ...block(random, tree, inner)];
}

function scalar(random: Random, head: string, sql: string, indent: number): string[] {
  const pad = ' '.repeat(indent);
  const lines = random.chance(0.3) ? brokenUp(random, sql) : [sql];
  const anchor = random.chance(0.02) ? '&here ' : '';
  const inPlain = /^[A-Za-z(]/.test(sql) && !/: | #|^null$|^true$|^false$/i.test(sql);
  return random.choose<string[]>([
    [inPlain ? 50 : 0, () => folded(`${head} ${anchor}`, lines, pad, '')],
    [10, () => folded(`${head} ${anchor}'`, lines.map(single), pad, "'")],
    [
      10,
      () =>
        folded(
          `${head} ${anchor}"`,
          lines.map((line) => double(random, line)),
          pad,
          '"',
        ),
    ],
    [20, () => [`${head} ${anchor}|${chomp(random)}`, ...lines.map((line) => `${pad}${line}`)]],
    [8, () => [`${head} ${anchor}>${chomp(random)}`, ...lines.map((line) => `${pad}${line}`)]],
  ]);
}

function chomp(random: Random): string {
  return random.pick(['', '', '-', '+']);
}

function folded(start: string, lines: readonly string[], pad: string, end: string): string[] {
  const all = lines.map((line, index) => (index === 0 ? `${start}${line}` : `${pad}${line}`));
  return [...all.slice(0, -1), `${all.at(-1)}${end}`];
}

function single(line: string): string {
  return line.replaceAll("'", "''");
}

function double(random: Random, line: string): string {
  const escaped = line.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return random.chance(0.3) ? escaped.replace('e', '\\x65').replace('a', '\\u0061') : escaped;
}

/** The text in lines, broken at some of the blanks that are not inside quotes. */
function brokenUp(random: Random, sql: string): string[] {
  const words = sql.match(/(?:'[^']*'|"[^"]*"|[^ '"])+| +/g) ?? [sql];
  const lines = [''];
  for (const word of words) {
    if (/^ +$/.test(word) && random.chance(0.3) && lines.at(-1) !== '') lines.push('');
    else lines[lines.length - 1] += word;
  }
  return lines.map((line) => line.trimStart()).filter((line) => line !== '');
}
