/** Writes streams as YAML in block style, indented by two spaces. */
import { laidOut } from '../sql/layout/layout.ts';
import { keyText } from '../yaml/keys.ts';
import type { StreamText } from './stream.ts';

/** The maximum number of characters in a line. */
const width = 100;

/** Writes the lines of one entry under `streams`. The key already has quotes if it needs them. */
export function streamLines(key: string, stream: StreamText): string[] {
  const { autoSubscribe, priority, acceptDangerous, ctes, queries } = stream;
  const [only, second] = queries;
  return [
    `  ${key}:`,
    ...(autoSubscribe ? ['    auto_subscribe: true'] : []),
    ...(priority === 3 ? [] : [`    priority: ${priority}`]),
    ...(acceptDangerous ? ['    accept_potentially_dangerous_queries: true'] : []),
    ...(ctes.length > 0 ? ['    with:'] : []),
    ...ctes.flatMap(([name, query]) => sqlLines(`      ${keyText(name)}:`, 8, query)),
    ...(only !== undefined && second === undefined
      ? sqlLines('    query:', 6, only)
      : [queries.length === 0 ? '    queries: []' : '    queries:']),
    ...(second === undefined ? [] : queries.flatMap((query) => sqlLines('      -', 8, query))),
  ];
}

/** Returns the query in the same line as its key if it fits there and YAML would read it unchanged; otherwise as a block. */
export function sqlLines(key: string, indent: number, query: string): string[] {
  const room = width - key.length - 1;
  const oneLine = laidOut(query, { width: room, lines: 'one' }) ?? query;
  if (!oneLine.includes('\n') && isPlain(oneLine)) return [`${key} ${oneLine}`];
  const lines = laidOut(query, { width: width - indent, lines: 'many' }) ?? query;
  return [`${key} |`, ...lines.split('\n').map((line) => (line === '' ? '' : ' '.repeat(indent) + line))];
}

/** Whether the text can be a plain scalar. It begins with SELECT, so only the characters that end a plain scalar matter. */
function isPlain(text: string): boolean {
  return !/: | #|:$|[\t\r\n]/.test(text);
}
