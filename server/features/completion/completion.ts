/**
 * Completes the keys, values and SQL that are allowed at a place of a config. A parser cannot find the place of an incomplete line,
 * so two rooms of the engine do: `yaml/outline/` uses keys, dashes and indentation, and `sql/position/` uses the words before the
 * cursor.
 */
import type { Analysis } from '../../engine/index.ts';
import type { JsonSchema } from '../../engine/service/serviceSchema.ts';
import { lineStart } from '../../engine/text/lines.ts';
import { span } from '../../engine/text/span.ts';
import { itemAbove, outlineAt, type WordPlace, type YamlPlace } from '../../engine/yaml/outline/outline.ts';
import { innerConfigAt } from '../reading/inner.ts';
import { schemaAt } from '../reading/schemaAt.ts';
import { sqlIn } from '../reading/sqlAt.ts';
import { completeCodes } from './codes.ts';
import { completeKeys } from './completeKeys.ts';
import { completeValue } from './completeValues.ts';
import { type Completion, indentItem } from './item.ts';
import { completeSql } from './sql.ts';
import type { CompletionWorld } from './world.ts';

export function completions(
  analysis: Analysis,
  offset: number,
  world: CompletionWorld,
): readonly Completion[] {
  if (analysis.kind === 'foreign') return [];
  const inner = innerConfigAt(analysis, offset);
  if (inner)
    return completions(inner.analysis, inner.offset, world).map((item) => ({
      ...item,
      span: inner.toFile(item.span),
    }));
  const codes = completeCodes(analysis, offset);
  if (codes) return codes;
  const place = outlineAt(analysis.text, offset);
  if (place === undefined || (world.typed === ' ' && isIndentation(analysis.text, offset))) return [];
  return completeAt(analysis, place, offset, world);
}

/** Whether the cursor is in the indentation, where a user who types blanks is only moving to another column. */
function isIndentation(text: string, offset: number): boolean {
  return /^ *$/.test(text.slice(lineStart(text, offset), offset));
}

function completeAt(
  analysis: Analysis,
  place: YamlPlace,
  offset: number,
  world: CompletionWorld,
): readonly Completion[] {
  const schema = schemaAt(analysis.kind, place.path);
  if (schema === undefined) return [];
  const sql = sqlIn(analysis, place, offset);
  if (sql) return completeSql(analysis, sql, offset, world);
  if (place.kind === 'value') return completeValue(analysis, place, schema, offset, world);
  if (isMap(schema)) return completeKeys(analysis, place, schema);
  if (schema.items && !place.flow) return [...keysOfItemAbove(analysis, place, offset), item(place.word)];
  const { path, word } = place;
  return completeValue(analysis, { kind: 'value', path, start: word.start }, schema, offset, world);
}

function isMap({ properties, additionalProperties, oneOf }: JsonSchema): boolean {
  return [properties, additionalProperties, oneOf].some(Boolean);
}

function keysOfItemAbove(analysis: Analysis, place: WordPlace, offset: number): readonly Completion[] {
  const above = itemAbove(analysis.text, offset, place);
  const schema = above && schemaAt(analysis.kind, above.place.path);
  if (!schema || !isMap(schema)) return [];
  return completeKeys(analysis, above.place, schema).map((key) => indentItem(key, above.blanks, place.word));
}

function item({ start, end }: { readonly start: number; readonly end: number }): Completion {
  return {
    label: '- ',
    kind: 'snippet',
    detail: 'list item',
    insert: ['- ', { stop: '' }],
    span: span(start, end),
    rank: 0,
    continues: true,
  };
}
