/** The names in an access test file, with their places and meanings. */
import type { TestFile } from '../../engine/index.ts';
import type { Span } from '../../engine/text/span.ts';

export interface TestMention {
  readonly kind:
    | 'config'
    | 'sql file'
    | 'user'
    | 'stream'
    | 'subscription parameter'
    /** A table of the source, or a table on clients. */
    | 'table'
    | 'column'
    | 'row';
  readonly name: string;
  readonly span: Span;
  /** Whether this place declares the name. Other places only refer to it. */
  readonly isDeclaration: boolean;
  /** The table of a column or row, or the stream of a parameter. */
  readonly of?: string;
}

type NamedPlace = { readonly value: string; readonly span: Span };
type Rows = TestFile['rows'];
type Step = TestFile['tests'][number]['steps'][number];

export function mentionsInTests(file: TestFile): readonly TestMention[] {
  const mention = (
    kind: TestMention['kind'],
    { value: name, span }: NamedPlace,
    more: Partial<TestMention> = {},
  ): TestMention => ({ kind, name, span, isDeclaration: false, ...more });
  const inRows = (rows: Rows, isDeclaration: boolean): TestMention[] =>
    rows.flatMap((row) => [
      mention('table', row.table),
      mention('row', { value: row.id, span: row.span }, { of: row.table.value, isDeclaration }),
      ...row.columns.map((column) => mention('column', column, { of: row.table.value })),
    ]);
  const inStep = (step: Step): TestMention[] => {
    switch (step.kind) {
      case 'insert':
      case 'update':
        return inRows(step.rows, step.kind === 'insert');
      case 'delete':
        return step.rows.flatMap(({ table, id }) => [
          mention('table', table),
          mention('row', id, { of: table.value }),
        ]);
      case 'expect':
        return step.expectation.users.flatMap(({ user, tables }) => [
          mention('user', user),
          ...(tables === 'nothing' ? [] : tables).flatMap(({ table, rows }) => [
            mention('table', table),
            ...idsOf(rows).map((id) => mention('row', id, { of: table.value })),
          ]),
        ]);
    }
  };
  return [
    ...[file.config].flatMap((config) => (config ? [mention('config', config)] : [])),
    ...[file.schema, ...file.seeds].flatMap((sql) => (sql ? [mention('sql file', sql)] : [])),
    ...file.users.map(({ name }) => mention('user', name, { isDeclaration: true })),
    ...inRows(file.rows, true),
    ...file.tests.flatMap(({ subscriptions, steps }) => [
      ...subscriptions.flatMap(({ stream, names }) => [
        mention('stream', stream),
        ...names.map((name) => mention('subscription parameter', name, { of: stream.value })),
      ]),
      ...steps.flatMap(inStep),
    ]),
    ...file.always.map(({ table }) => mention('table', table)),
  ];
}

/** Returns the innermost mention at an offset, because a row contains its columns. */
export function mentionInTestsAt(file: TestFile, offset: number): TestMention | undefined {
  return mentionsInTests(file)
    .filter(({ span: { start, end } }) => start <= offset && offset <= end)
    .sort((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start))[0];
}

type RowChoice = Extract<
  Extract<Step, { kind: 'expect' }>['expectation']['users'][number]['tables'],
  readonly unknown[]
>[number]['rows'];

function idsOf(rows: RowChoice): readonly NamedPlace[] {
  switch (rows?.kind) {
    case 'exactly':
      return rows.ids;
    case 'some':
      return [...rows.includes, ...rows.excludes];
    default:
      return [];
  }
}
