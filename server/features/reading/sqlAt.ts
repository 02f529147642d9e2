/** Finds the SQL text at a place of a config, and facts about it, even if the YAML around it is broken. */
import type { Analysis, Part } from '../../engine/index.ts';
import { type Span, shift, span } from '../../engine/text/span.ts';
import type { ScalarStyle, YamlNode, YamlScalar } from '../../engine/yaml/nodes.ts';
import { outlineAt, type PathStep, type YamlPlace } from '../../engine/yaml/outline/outline.ts';
import { offsetInValue, sourceMap } from '../../engine/yaml/sourceMap.ts';
import { walk } from '../../engine/yaml/walk.ts';

/** The purpose of a query. */
type SqlRole = 'stream' | 'cte' | 'parameters' | 'data' | 'payload';

export interface SqlPlace {
  readonly role: SqlRole;
  /** The definition that contains the text; absent for a CTE of the entire file. */
  readonly owner?: string;
  /** The name, if the text is a CTE. */
  readonly name?: string;
  /** The value of the scalar, as far as it exists. */
  readonly text: string;
  /** The offset of the place in the text. */
  readonly at: number;
  readonly style: ScalarStyle;
  /** Returns the span of the file for a span of the text. */
  readonly toFile: (inText: Span) => Span;
}

export function sqlAt(analysis: Analysis, offset: number): SqlPlace | undefined {
  if (analysis.kind !== 'sync') return undefined;
  const place = outlineAt(analysis.text, offset);
  return place && sqlIn(analysis, place, offset);
}

export function sqlIn(analysis: Analysis, place: YamlPlace, offset: number): SqlPlace | undefined {
  const meaning = meaningOf(place.path);
  if (meaning === undefined || (place.kind === 'word' && place.isKey)) return undefined;
  const start = place.kind === 'word' ? place.word.start : place.start;
  if (/^[|>][^\n]*$/.test(analysis.text.slice(start, offset))) return undefined;
  return { ...meaning, ...scalarText(analysis, start, offset) };
}

type Meaning = Pick<SqlPlace, 'role' | 'owner' | 'name'>;

const roles: readonly { readonly path: RegExp; readonly role: SqlRole }[] = [
  { path: /^streams\/\/(?:query|queries\/-)$/, role: 'stream' },
  { path: /^(?:streams\/\/)?with\/$/, role: 'cte' },
  { path: /^bucket_definitions\/\/parameters(?:\/-)?$/, role: 'parameters' },
  { path: /^bucket_definitions\/\/data\/-$/, role: 'data' },
  { path: /^event_definitions\/\/payloads\/-$/, role: 'payload' },
];

/** Returns what the value at a path means. Names that the user chooses are ignored: the second key, and the name of a CTE. */
function meaningOf(path: readonly PathStep[]): Meaning | undefined {
  const keys = path.map(({ key }) => key ?? '-');
  const isNamed = (index: number) =>
    (index === 1 && keys[0] !== 'config') || (index === 3 && keys[2] === 'with');
  const form = keys.map((key, index) => (isNamed(index) ? '' : key)).join('/');
  const role = roles.find((one) => one.path.test(form))?.role;
  const owner = keys[0] === 'with' ? undefined : keys[1];
  const name = role === 'cte' ? keys.at(-1) : undefined;
  return role && { role, ...(owner !== undefined && { owner }), ...(name !== undefined && { name }) };
}

function scalarText(
  analysis: Analysis,
  start: number,
  offset: number,
): Pick<SqlPlace, 'text' | 'at' | 'style' | 'toFile'> {
  const part = partAt(analysis, offset);
  const scalar = part && scalarFrom(part, start, offset);
  if (!part || !scalar || isOpen(part.reading.text, scalar)) return writtenText(analysis.text, start, offset);
  const source = part.reading.text;
  const place = sourceMap(source, scalar);
  const local = offset - part.base;
  const isBehind = local > scalar.span.end;
  const text = isBehind ? padText(scalar) : scalar.text;
  const at = isBehind
    ? text.length
    : afterFold(text, offsetInValue(source, scalar, local), source[local - 1]);
  return {
    text,
    at,
    style: scalar.style,
    toFile: (inText) =>
      inText.start >= scalar.text.length && isBehind
        ? span(offset, offset)
        : inText.start === inText.end && inText.start === at
          ? span(offset, offset)
          : shift(place(inText), part.base),
  };
}

/**
 * Moves an offset past a folded space. YAML folds the spaces at a line end into one, and a cursor after them is no longer at the
 * word before them.
 */
function afterFold(text: string, at: number, before: string | undefined): number {
  const isAtWord = at > 0 && /\S/.test(text[at - 1] ?? '');
  return before === ' ' && isAtWord && text[at] === ' ' ? at + 1 : at;
}

/** Adds the spaces after a value to its text, because a user who types there continues the text. */
function padText({ text, style }: YamlScalar): string {
  const separator = style === 'literal' || style === 'folded' ? '\n' : ' ';
  return text.trim() === '' ? '' : `${text.trimEnd()}${separator}`;
}

function partAt({ config }: Analysis, offset: number): Part | undefined {
  return config?.parts.findLast(({ base }) => base <= offset);
}

/** Returns the scalar at the start of a value, after its tags. */
function scalarFrom(part: Part, start: number, offset: number): YamlScalar | undefined {
  let found: YamlScalar | undefined;
  const isHere = (node: YamlNode): node is YamlScalar =>
    node.kind === 'scalar' &&
    node.span.start >= start - part.base &&
    node.span.start <= offset - part.base &&
    node.span.end > node.span.start;
  if (part.reading.root)
    walk(part.reading.root, (node) => {
      if (!found && isHere(node)) found = node;
    });
  return found;
}

/** Whether a quoted scalar has no closing quote, in which case its value is not the text. */
function isOpen(source: string, { style, span: { start, end } }: YamlScalar): boolean {
  const isQuoted = style === 'single' || style === 'double';
  return isQuoted && (end - start < 2 || source[end - 1] !== source[start]);
}

/** Returns the source text up to the place, without an opening quote or block header, for YAML that cannot be parsed. */
function writtenText(file: string, start: number, offset: number) {
  const written = file.slice(start, offset);
  const opening = /^(?:["']|[|>][^\n]*\n[ \t]*)/.exec(written)?.[0] ?? '';
  const text = written.slice(opening.length);
  const first = start + opening.length;
  const style: ScalarStyle = opening === '"' ? 'double' : opening === "'" ? 'single' : 'plain';
  return { text, at: text.length, style, toFile: (inText: Span) => shift(inText, first) };
}
