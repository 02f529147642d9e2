/** Reads an entry of `streams`, in edition 3 and in its preview in edition 2. */
import { span } from '../text/span.ts';
import type { YamlMap, YamlNode } from '../yaml/nodes.ts';
import type { Cte, Edition, Priority, SqlText, StreamDefinition } from './definition.ts';
import {
  argsAt,
  boolean,
  checkName,
  isMistaken,
  type Keys,
  list,
  type MapFields,
  missingBlank,
  nameOfKey,
  readMapFields,
  type SourceText,
} from './shape.ts';
import { ctes, priority, sqlText } from './values.ts';

interface Settings {
  readonly query: SqlText;
  readonly queries: readonly SqlText[];
  readonly with: readonly Cte[];
  readonly auto_subscribe: boolean;
  readonly priority: Priority;
  readonly accept_potentially_dangerous_queries: boolean;
}

const keys: Keys<Settings> = {
  query: sqlText,
  queries: list(sqlText),
  with: ctes,
  auto_subscribe: boolean,
  priority,
  accept_potentially_dangerous_queries: boolean,
};

const hints = {
  data: 'This key belongs to bucket definitions. A stream has `query` or `queries`.',
  parameters:
    'This key belongs to bucket definitions. A stream compares with `auth.user_id()` or similar values.',
};

export function readStream(
  source: SourceText,
  key: YamlNode,
  node: YamlNode,
  edition: Edition,
): StreamDefinition | undefined {
  checkName(source, key);
  const name = nameOfKey(source.text, key);
  if (node.kind !== 'map') {
    source.report('expected-map', node.span, { ...argsAt(node, name), ...hintForMisplaced(name, node) });
    return undefined;
  }
  const fields = readMapFields(source, node, keys, hints);
  if (edition === 3) checkQueries(source, name, node, fields);
  else refuseNewer(source, fields, edition);
  const prioritySpan = fields.priority?.node.span;
  return {
    kind: 'stream',
    name,
    nameSpan: key.span,
    span: node.span,
    autoSubscribe: fields.auto_subscribe?.value ?? false,
    priority: fields.priority?.value ?? 3,
    ...(prioritySpan && { prioritySpan }),
    acceptDangerous: fields.accept_potentially_dangerous_queries?.value ?? false,
    ctes: edition === 3 ? (fields.with?.value ?? []) : [],
    queries: [...single(fields), ...(edition === 3 ? (fields.queries?.value ?? []) : [])],
  };
}

/** Returns advice about the probable meaning of a stream that is not a map. */
function hintForMisplaced(name: string, node: YamlNode): { instead?: string } {
  return Object.hasOwn(keys, name)
    ? { instead: 'If it belongs to the stream above, indent it more.' }
    : missingBlank(node);
}

function single({ query }: MapFields<Settings>): SqlText[] {
  return query?.value === undefined ? [] : [query.value];
}

function checkQueries(
  { report }: SourceText,
  name: string,
  node: YamlMap,
  fields: MapFields<Settings>,
): void {
  const missing = fields.query === undefined && fields.queries === undefined;
  if (missing && !isMistaken(node, keys, hints, ['query', 'queries']))
    report('query-or-queries', node.span, { name, found: 'neither' });
  if (fields.query !== undefined && fields.queries !== undefined)
    report('query-or-queries', node.span, { name, found: 'both' });
  const list = fields.queries?.node;
  if (list?.kind === 'sequence' && list.items.length === 0)
    report('no-output-columns', list.span, { missing: 'queries' });
}

function refuseNewer({ report }: SourceText, fields: MapFields<Settings>, edition: Edition): void {
  const { with: named, queries } = fields;
  if (named?.node.kind === 'map' && named.node.pairs.length > 0)
    report('cte-requires-edition-3', named.node.span, {});
  if (queries?.node.kind === 'sequence') report('queries-requires-edition-3', queries.node.span, {});
  if (edition === 1)
    for (const { place, sql } of single(fields))
      report('streams-require-edition-2', place(span(0, sql.text.length)), {});
}
