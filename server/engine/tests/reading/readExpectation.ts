/** Reads the expectation of a test: for each user, either `nothing` or the expected rows of each table. */
import { argsAt, type MapFields, type ReadValue, readMapFields, type SourceText } from '../../model/shape.ts';
import type { YamlNode } from '../../yaml/nodes.ts';
import type {
  TableExpectation,
  TestExpectation,
  UserExpectation,
  WantedRows,
  WithPlace,
} from '../testFile.ts';
import { placedIds, placedKey } from './readRows.ts';

export const expectation: ReadValue<TestExpectation> = (source, node, key) => {
  if (node.kind !== 'map') {
    source.report('expected-map', node.span, argsAt(node, key));
    return undefined;
  }
  return {
    span: node.span,
    users: node.pairs.flatMap(({ key: name, value }) => ofUser(source, placedKey(source, name), value)),
  };
};

function ofUser(source: SourceText, user: WithPlace, node: YamlNode): UserExpectation[] {
  const found = { user, span: node.span };
  if (node.kind === 'scalar' && node.text === 'nothing') return [{ ...found, tables: 'nothing' }];
  if (node.kind === 'map' && node.pairs.length > 0)
    return [
      {
        ...found,
        tables: node.pairs.flatMap(({ key, value }) => ofTable(source, placedKey(source, key), value)),
      },
    ];
  refuse(source, node, `Write \`nothing\`, or a map from tables to the rows that ${user.value} gets.`);
  return [];
}

interface TableKeys {
  readonly includes: readonly WithPlace[];
  readonly excludes: readonly WithPlace[];
  readonly rows: WantedRows;
  readonly columns: WithPlace<readonly string[]>;
}

const wantedKeys = {
  includes: placedIds as ReadValue<readonly WithPlace[]>,
  excludes: placedIds as ReadValue<readonly WithPlace[]>,
  rows: ((source, node) => wantedRows(source, node)) as ReadValue<WantedRows>,
  columns: ((source, node, key) => {
    const ids = placedIds(source, node, key);
    return ids && { value: ids.map(({ value }) => value), span: node.span };
  }) as ReadValue<WithPlace<readonly string[]>>,
};

function ofTable(source: SourceText, table: WithPlace, node: YamlNode): TableExpectation[] {
  const found = { table, span: node.span };
  if (node.kind !== 'map') {
    const rows = wantedRows(source, node);
    return rows === undefined ? [] : [{ ...found, rows }];
  }
  const fields: MapFields<TableKeys> = readMapFields<TableKeys>(source, node, wantedKeys);
  const rows = fields.rows?.value ?? someOf(fields);
  const columns = fields.columns?.value;
  const isEmpty = rows?.kind === 'some' && rows.includes.length + rows.excludes.length === 0;
  if (columns === undefined && (isEmpty || node.pairs.length === 0))
    refuse(source, node, `The expectation for ${table.value} is empty. ${wantedForms}`);
  return [{ ...found, ...(rows && { rows }), ...(columns && { columns }) }];
}

function someOf({ includes, excludes }: MapFields<TableKeys>): WantedRows | undefined {
  if (includes === undefined && excludes === undefined) return undefined;
  return { kind: 'some', includes: includes?.value ?? [], excludes: excludes?.value ?? [] };
}

const wantedForms = 'Write a list of ids, `all`, `none`, or a map with `includes`, `excludes` or `columns`.';

function wantedRows(source: SourceText, node: YamlNode): WantedRows | undefined {
  if (node.kind === 'scalar' && (node.text === 'all' || node.text === 'none')) return { kind: node.text };
  if (node.kind === 'sequence') return { kind: 'exactly', ids: placedIds(source, node, '') ?? [] };
  refuse(source, node, wantedForms);
  return undefined;
}

function refuse({ report }: SourceText, node: YamlNode, reason: string): void {
  report('test-unreadable-expectation', node.span, { reason });
}
