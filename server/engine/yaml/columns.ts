/** Finds the starts and ends of lines, for code that writes YAML. */
import { columnOf, lineStart } from '../text/lines.ts';
import { span } from '../text/span.ts';
import type { YamlNode, YamlScalar } from './nodes.ts';
import { sourceMap } from './sourceMap.ts';

export function endOfLineOf(source: string): string {
  return source.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns the column in which the lines of a block begin. */
export function columnOfText(source: string, scalar: YamlScalar): number {
  const first = scalar.text.search(/\S/);
  const { start } = sourceMap(source, scalar)(span(Math.max(first, 0), Math.max(first, 0) + 1));
  const before = /[^\n]*$/.exec(scalar.text.slice(0, Math.max(first, 0)))?.[0].length ?? 0;
  return columnOf(source, start) - before;
}

/** Returns the column of the key to which the scalar belongs, or of the scalar itself in a list. */
export function columnOfNode(
  source: string,
  { span: { start } }: { readonly span: YamlNode['span'] },
): number {
  const line = source.slice(lineStart(source, start), start);
  return line.search(/[^ -]|$/);
}
