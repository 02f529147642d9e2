/** Reads an entry of `event_definitions`. */
import type { YamlNode } from '../yaml/nodes.ts';
import type { EventDefinition, SqlText } from './definition.ts';
import { checkName, type Keys, nameOfKey, type ReadValue, readMapFields, type SourceText } from './shape.ts';
import { sqlText } from './values.ts';

interface Settings {
  readonly payloads: readonly SqlText[];
}

const payloads: ReadValue<readonly SqlText[]> = (source, node, key) => {
  if (node.kind === 'sequence') return node.items.flatMap((item) => payload(source, item, key) ?? []);
  source.report('event-payloads-not-a-list', node.span, {});
  return undefined;
};

const payload: ReadValue<SqlText> = (source, node, key) => {
  if (node.kind === 'scalar' && node.value !== null) return sqlText(source, node, key);
  source.report('event-payload-not-a-string', node.span, {});
  return undefined;
};

const keys: Keys<Settings> = { payloads };

export function readEvent(source: SourceText, key: YamlNode, node: YamlNode): EventDefinition | undefined {
  checkName(source, key);
  const name = nameOfKey(source.text, key);
  if (node.kind !== 'map') {
    source.report('event-not-a-map', node.span, { name });
    return undefined;
  }
  const fields = readMapFields(source, node, keys);
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
