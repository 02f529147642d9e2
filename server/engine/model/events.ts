/** One entry of `event_definitions`. */
import type { YamlNode } from '../yaml/nodes.ts';
import type { EventDefinition, SqlText } from './definition.ts';
import { checkName, type Keys, keyText, type Read, readFields, type Source } from './shape.ts';
import { sql } from './values.ts';

interface Settings {
  readonly payloads: readonly SqlText[];
}

const payloads: Read<readonly SqlText[]> = (source, node, key) => {
  if (node.kind === 'sequence') return node.items.flatMap((item) => payload(source, item, key) ?? []);
  source.report('event-payloads-not-a-list', node.span, {});
  return undefined;
};

const payload: Read<SqlText> = (source, node, key) => {
  if (node.kind === 'scalar' && node.value !== null) return sql(source, node, key);
  source.report('event-payload-not-a-string', node.span, {});
  return undefined;
};

const keys: Keys<Settings> = { payloads };

export function readEvent(source: Source, key: YamlNode, node: YamlNode): EventDefinition | undefined {
  checkName(source, key);
  const name = keyText(source.text, key);
  if (node.kind !== 'map') {
    source.report('event-not-a-map', node.span, { name });
    return undefined;
  }
  const fields = readFields(source, node, keys);
  if (fields.payloads === undefined)
    source.report('schema-violation', node.span, { key: name, reason: 'needs a list of `payloads`.' });
  return {
    kind: 'event',
    name,
    nameSpan: key.span,
    span: node.span,
    payloads: fields.payloads?.value ?? [],
  };
}
