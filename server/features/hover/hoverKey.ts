import type { Analysis } from '../../engine/index.ts';
import { type Span, span } from '../../engine/text/span.ts';
import { outlineAt, type PathStep, type Siblings } from '../../engine/yaml/outline/outline.ts';
import { explainKey } from '../explain/explainKey.ts';
import { choose, schemaAt } from '../reading/schemaAt.ts';
import { sqlIn } from '../reading/sqlAt.ts';
import type { Hover } from './answer.ts';

/** Explains a key of the schema or its value. */
export function hoverKey(analysis: Analysis, offset: number): Hover | undefined {
  const { text } = analysis;
  const place = outlineAt(text, offset);
  if (!place || sqlIn(analysis, place, offset)) return undefined;
  if (place.kind === 'word') {
    if (!place.isKey || offset > place.word.end) return undefined;
    const name = text.slice(place.word.start, place.word.end).replace(/^["']|["']$/g, '');
    return explain(analysis, { path: place.path, name, siblings: place.siblings, at: place.word });
  }
  const last = place.path.at(-1);
  const at = valueAt(text, place.start, offset);
  if (last?.key === undefined || !at) return undefined;
  return explain(analysis, { path: place.path.slice(0, -1), name: last.key, siblings: last.siblings, at });
}

interface Place {
  readonly path: readonly PathStep[];
  readonly name: string;
  readonly siblings: () => Siblings;
  readonly at: Span;
}

/** Explains a key. A key whose name the user chose has no schema of its own. */
function explain(analysis: Analysis, { path, name, siblings, at }: Place): Hover | undefined {
  const around = schemaAt(analysis.kind, path);
  const { properties, required = [] } = around ? choose(around, siblings) : {};
  if (!properties || !Object.hasOwn(properties, name)) return undefined;
  const schema = schemaAt(analysis.kind, [...path, { key: name, siblings }]);
  return schema && { span: at, markdown: explainKey(name, schema, required.includes(name)) };
}

/** Returns the span of the words of a value on the line at the offset. */
function valueAt(text: string, start: number, offset: number): Span | undefined {
  const value = /[^\s#][^\n#]*/y;
  value.lastIndex = start;
  const found = value.exec(text)?.[0].trimEnd();
  const end = start + (found?.length ?? 0);
  return found !== undefined && start <= offset && offset <= end ? span(start, end) : undefined;
}
