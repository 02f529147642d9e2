/** Reads an entry of `bucket_definitions` (editions 1 and 2). */
import type { YamlNode } from '../yaml/nodes.ts';
import type { BucketDefinition, Priority, SqlText } from './definition.ts';
import {
  boolean,
  checkName,
  isMistaken,
  type Keys,
  list,
  type MapFields,
  nameOfKey,
  readMapFields,
  type SourceText,
} from './shape.ts';
import { priority, sqlOrList, sqlText } from './values.ts';

interface Settings {
  readonly data: readonly SqlText[];
  readonly parameters: readonly SqlText[];
  readonly priority: Priority;
  readonly accept_potentially_dangerous_queries: boolean;
}

const keys: Keys<Settings> = {
  data: list(sqlText),
  parameters: sqlOrList,
  priority,
  accept_potentially_dangerous_queries: boolean,
};

const ofStreams = 'This key belongs to streams (edition 3).';
const hints = {
  query: `${ofStreams} A bucket definition has a list of \`data\` queries.`,
  queries: `${ofStreams} A bucket definition has a list of \`data\` queries.`,
  auto_subscribe: `${ofStreams} Bucket definitions never need a subscription.`,
  with: ofStreams,
};

export function readBucketDefinition(
  source: SourceText,
  key: YamlNode,
  node: YamlNode,
): BucketDefinition | undefined {
  checkName(source, key);
  const name = nameOfKey(source.text, key);
  if (node.kind !== 'map') {
    source.report('bucket-definition-not-a-map', node.span, { name });
    return undefined;
  }
  const fields = readMapFields(source, node, keys, hints);
  if (fields.data === undefined && !isMistaken(node, keys, hints, ['data']))
    source.report('missing-key', node.span, { name });
  const ownPriority = fields.priority?.value;
  const prioritySpan = fields.priority?.node.span;
  return {
    kind: 'bucket-definition',
    name,
    nameSpan: key.span,
    span: node.span,
    ...(ownPriority !== undefined && { priority: ownPriority }),
    ...(prioritySpan && { prioritySpan }),
    acceptDangerous: fields.accept_potentially_dangerous_queries?.value ?? false,
    ...(fields.parameters && { parameters: fields.parameters.value ?? [] }),
    parametersUnreadable: isUnreadable(fields.parameters),
    data: fields.data?.value ?? [],
  };
}

function isUnreadable(parameters: MapFields<Settings>['parameters']): boolean {
  if (parameters === undefined) return false;
  const { node, value = [] } = parameters;
  return value.length < (node.kind === 'sequence' ? node.items.length : 1);
}
