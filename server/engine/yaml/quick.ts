/**
 * Reads the YAML that nearly all definitions are written in, many times faster than `yaml` does: block maps with
 * simple keys, lists of single values, plain and quoted values in one line, literal blocks.
 * At the least doubt it gives up, and the text is read by the whole grammar. What it reads has no problems.
 */
import { type Span, span } from '../text/span.ts';
import type { YamlMap, YamlNode, YamlPair, YamlScalar, YamlSequence } from './nodes.ts';
import { skipSpace, trimEnd } from './space.ts';

interface Reader {
  readonly text: string;
  /** Start of the line that is read next: one with content, or the end of the text. */
  line: number;
  /** The indentation of that line; -1 at the end. */
  indent: number;
}

/** Deeper maps are read by the whole grammar, which guards the stack. */
const deepest = 12;

export function readQuickly(text: string): YamlMap | undefined {
  if (/[\t\r\ufeff]/.test(text)) return undefined;
  const reader: Reader = { text, line: 0, indent: 0 };
  goTo(reader, 0);
  if (reader.indent < 0) return undefined;
  const root = readMap(reader, reader.indent, 0);
  return reader.indent < 0 ? root : undefined;
}

/** There is nothing but empty lines and comments. */
export function isEmpty(text: string): boolean {
  let at = skipSpace(text, text.startsWith('\ufeff') ? 1 : 0);
  while (text[at] === '#') at = skipSpace(text, lineAfter(text, at));
  return at >= text.length;
}

/** Goes to the first line from `offset` on that is neither empty nor a comment. */
function goTo(reader: Reader, offset: number): void {
  const { text } = reader;
  let line = offset;
  while (line < text.length) {
    let at = line;
    while (text.charCodeAt(at) === 0x20) at++;
    const character = text.charCodeAt(at);
    if (at < text.length && character !== 0x0a && character !== 0x23) {
      reader.line = line;
      reader.indent = at - line;
      return;
    }
    line = lineAfter(text, at);
  }
  reader.line = text.length;
  reader.indent = -1;
}

function lineAfter(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

const keyPattern = /([A-Za-z_][\w-]{0,200}):(?= |\n|$)/y;

function readMap(reader: Reader, indent: number, depth: number): YamlMap | undefined {
  const pairs: YamlPair[] = [];
  const names = new Set<string>();
  const start = reader.line + indent;
  while (reader.indent === indent) {
    keyPattern.lastIndex = reader.line + indent;
    const name = keyPattern.exec(reader.text)?.[1];
    if (name === undefined || typed.has(name) || names.has(name)) return undefined;
    names.add(name);
    const at = reader.line + indent;
    const key = plain(span(at, at + name.length), name, name);
    const value = readValue(reader, key.span.end + 1, indent, depth);
    if (value === undefined) return undefined;
    pairs.push({ key, value });
  }
  const last = pairs.at(-1)?.value;
  if (last === undefined || reader.indent > indent) return undefined;
  return { kind: 'map', flow: false, pairs, span: span(start, last.span.end) };
}

function readSequence(reader: Reader, indent: number): YamlSequence | undefined {
  const items: YamlNode[] = [];
  const start = reader.line + indent;
  while (reader.indent === indent && startsItem(reader)) {
    const item = readScalar(reader, reader.line + indent + 1, indent);
    if (item === undefined) return undefined;
    items.push(item);
  }
  const last = items.at(-1);
  if (last === undefined || reader.indent > indent) return undefined;
  return { kind: 'sequence', flow: false, items, span: span(start, last.span.end) };
}

function startsItem({ text, line, indent }: Reader): boolean {
  return text.startsWith('- ', line + indent);
}

/** The value of a key at `indent`; `colonEnd` is directly after its colon. */
function readValue(reader: Reader, colonEnd: number, indent: number, depth: number): YamlNode | undefined {
  if (!isRestEmpty(reader.text, colonEnd)) return readScalar(reader, colonEnd, indent);
  goTo(reader, lineAfter(reader.text, colonEnd));
  if (reader.indent >= indent && reader.indent >= 0 && startsItem(reader))
    return readSequence(reader, reader.indent);
  if (reader.indent <= indent) return plain(span(colonEnd, colonEnd), '', null);
  return depth < deepest ? readMap(reader, reader.indent, depth + 1) : undefined;
}

const restEmpty = / *(?:\n|$| #)/y;

function isRestEmpty(text: string, at: number): boolean {
  restEmpty.lastIndex = at;
  return restEmpty.test(text);
}

/**
 * Reads the scalar after `before` in this line, and below it if it is a block. `indent` is that of its key or
 * dash.
 */
function readScalar(reader: Reader, before: number, indent: number): YamlScalar | undefined {
  const { text } = reader;
  let start = before;
  while (text.charCodeAt(start) === 0x20) start++;
  const scalar = text[start] === '|' ? readLiteral(reader, start, indent) : readInLine(reader, start);
  return scalar !== undefined && reader.indent <= indent ? scalar : undefined;
}

function readInLine(reader: Reader, start: number): YamlScalar | undefined {
  const next = lineAfter(reader.text, start);
  const end = reader.text[next - 1] === '\n' ? next - 1 : next;
  const line = reader.text.slice(start, end);
  goTo(reader, next);
  return line[0] === "'" || line[0] === '"' ? readQuoted(line, start) : readPlain(line, start);
}

const quoted = /^(?:'([^'\n]*)'|"([^"\\\n]*)") *(?:$| #)/;

function readQuoted(line: string, start: number): YamlScalar | undefined {
  const [, single, double] = quoted.exec(line) ?? [];
  const text = single ?? double;
  if (text === undefined) return undefined;
  const style = single === undefined ? 'double' : 'single';
  return { kind: 'scalar', style, value: text, text, span: span(start, start + text.length + 2) };
}

/** Plain words with a meaning of their own. */
const typed: ReadonlyMap<string, boolean | null> = new Map([
  ...(['true', 'True', 'TRUE'] as const).map((word) => [word, true] as const),
  ...(['false', 'False', 'FALSE'] as const).map((word) => [word, false] as const),
  ...(['null', 'Null', 'NULL'] as const).map((word) => [word, null] as const),
]);

function readPlain(line: string, start: number): YamlScalar | undefined {
  const comment = line.indexOf(' #');
  const end = trimEnd(line, 0, comment < 0 ? line.length : comment);
  const text = line.slice(0, end);
  if (/^[^A-Za-z0-9_(]|: |:$/.test(text) || text === '') return undefined;
  const at = span(start, start + end);
  const word = typed.get(text);
  if (word !== undefined) return plain(at, text, word);
  if (!/^\d/.test(text)) return plain(at, text, text);
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? plain(at, text, Number(text)) : undefined;
}

function plain(at: Span, text: string, value: YamlScalar['value']): YamlScalar {
  return { kind: 'scalar', style: 'plain', value, text, span: at };
}

const header = /\|(-?) *\n/y;

function readLiteral(reader: Reader, start: number, indent: number): YamlScalar | undefined {
  const { text } = reader;
  header.lastIndex = start;
  const chomp = header.exec(text)?.[1];
  if (chomp === undefined) return undefined;
  let line = header.lastIndex;
  let common = -1;
  let value = '';
  let breaks = '';
  let end = start;
  for (let next = line; line < text.length; line = next) {
    next = lineAfter(text, line);
    const lineEnd = text[next - 1] === '\n' ? next - 1 : next;
    let at = line;
    while (text.charCodeAt(at) === 0x20) at++;
    if (at >= lineEnd) {
      if (lineEnd - line > Math.max(common, 0)) return undefined;
      breaks += '\n';
      continue;
    }
    if (at - line <= indent) break;
    if (common < 0) common = at - line;
    else if (at - line < common) return undefined;
    value += breaks + text.slice(line + common, lineEnd);
    breaks = '\n';
    end = trimEnd(text, start, lineEnd);
  }
  if (common < 0) return undefined;
  goTo(reader, line);
  const content = chomp === '-' ? value : `${value}\n`;
  return { kind: 'scalar', style: 'literal', value: content, text: content, span: span(start, end) };
}
