/** Completes the keys of a map: only those that are allowed there and not written yet, required ones first. */
import type { Analysis } from '../../engine/index.ts';
import type { JsonSchema } from '../../engine/service/serviceSchema.ts';
import { typesOf } from '../../engine/service/serviceSchema.ts';
import type { WordPlace } from '../../engine/yaml/outline/outline.ts';
import { explainKey } from '../explain/explainKey.ts';
import { choose, keySchema } from '../reading/schemaAt.ts';
import { isLegal } from './editions.ts';
import type { Completion, Insert } from './item.ts';
import { namedEntries } from './snippets.ts';

export function completeKeys(
  analysis: Analysis,
  place: WordPlace,
  schema: JsonSchema,
): readonly Completion[] {
  const { properties = {}, required = [] } = choose(schema, place.siblings);
  const known = place.siblings();
  const keys = Object.keys(properties)
    .filter((name) => !known.has(name) && isLegal(analysis, place, name))
    .map((name) => ({ name, schema: keySchema({ properties }, name, analysis.kind) }))
    .filter((key) => !key.schema['x-ignored'])
    .map(({ name, schema: of }): Completion => {
      const isRequired = required.includes(name);
      return {
        label: name,
        kind: 'key',
        ...(isRequired && { detail: 'required' }),
        insert: place.isKey ? [name] : insertOf(name, of, place),
        span: place.word,
        rank: of.deprecated ? 2 : isRequired ? 0 : 1,
        ...(of.deprecated && { isDeprecated: true }),
        ...(!place.isKey && wantsMore(of) && { continues: true }),
        docs: () => explainKey(name, of, isRequired),
      };
    });
  return place.isKey ? keys : [...keys, ...namedEntries(place, analysis.kind)];
}

/**
 * Returns the text of a key and the text that must follow it: a new line for maps and lists, or the only sensible value for
 * switches.
 */
function insertOf(name: string, schema: JsonSchema, { flow }: WordPlace): Insert {
  const types = typesOf(schema);
  if (flow) return [`${name}: `];
  if (types.includes('boolean') && typeof schema.default === 'boolean')
    return [`${name}: ${String(!schema.default)}`];
  if (types[0] === 'object' || schema.oneOf) return [`${name}:\n  `, { stop: '' }];
  if (types[0] === 'array') return [`${name}:\n  - `, { stop: '' }];
  return [`${name}: `, { stop: '' }];
}

/** Whether to show the next list immediately, because the value can be completed. */
function wantsMore(schema: JsonSchema): boolean {
  return !typesOf(schema).includes('boolean');
}
