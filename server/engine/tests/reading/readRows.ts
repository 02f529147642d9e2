/** Reads the rows of a test: for each table, a list of maps from columns to values. */
import { argsAt, nameOfKey, names, type ReadValue, type SourceText } from '../../model/shape.ts';
import type { SourceRow } from '../../plan/values/source.ts';
import type { YamlNode } from '../../yaml/nodes.ts';
import type { DeletedRow, TestRow, WithPlace } from '../testFile.ts';
import { idOfNode, objectOfMap } from './yamlValues.ts';

export const rowsByTable: ReadValue<readonly TestRow[]> = (source, node, key) =>
  names((inner, name, value) => rowsOfTable(inner, placedKey(inner, name), value))(source, node, key)?.flat();

export const idsByTable: ReadValue<readonly DeletedRow[]> = (source, node, key) =>
  names((inner, name, value) => {
    const table = placedKey(inner, name);
    return placedIds(inner, value, table.value)?.map((id) => ({ table, id }));
  })(source, node, key)?.flat();

/** Reads a list of ids, and reports all other values in it. */
export function placedIds(source: SourceText, node: YamlNode, key: string): readonly WithPlace[] | undefined {
  if (node.kind !== 'sequence') {
    source.report('expected-sequence', node.span, argsAt(node, key));
    return undefined;
  }
  return node.items.flatMap((item) => {
    const id = idOfNode(item);
    if (id !== undefined) return [{ value: id, span: item.span }];
    source.report('test-unreadable-expectation', item.span, {
      reason: 'The id of a row must be a string or a number.',
    });
    return [];
  });
}

export function placedKey({ text }: SourceText, key: YamlNode): WithPlace {
  return { value: nameOfKey(text, key), span: key.span };
}

function rowsOfTable(source: SourceText, table: WithPlace, node: YamlNode): readonly TestRow[] {
  if (node.kind !== 'sequence') {
    source.report('expected-sequence', node.span, argsAt(node, table.value));
    return [];
  }
  return node.items.flatMap((item) => {
    if (item.kind !== 'map') {
      source.report('expected-map', item.span, argsAt(item, table.value));
      return [];
    }
    const id = item.pairs.find(({ key }) => key.kind === 'scalar' && key.text === 'id')?.value;
    return [
      {
        table,
        id: idOfNode(id) ?? '',
        values: objectOfMap(item) as SourceRow,
        columns: item.pairs.map(({ key, value }) => ({ ...placedKey(source, key), ofValue: value.span })),
        span: item.span,
      },
    ];
  });
}
