/** The names that access tests can use: those of the file itself, of the config under test, and of the source. */
import { requestReads, sourceColumns } from '../../engine/index.ts';
import type { TestsInEditor } from './inEditor.ts';

type RequestPart = 'auth' | 'connection' | 'subscription';

export function userNames({ prepared }: TestsInEditor): readonly string[] {
  return prepared.file.users.map(({ name }) => name.value);
}

export function testableStreams({ config }: TestsInEditor): readonly string[] {
  return (config?.config?.definitions ?? []).flatMap(({ definition }) =>
    definition.kind === 'stream' ? [definition.name] : [],
  );
}

/** Returns the known tables of the source and the tables that the config reads. */
export function sourceTables({ prepared: { catalog, subject } }: TestsInEditor): readonly string[] {
  const schema = subject?.config.surroundings.defaultSchema ?? 'public';
  const known = (catalog?.tables ?? []).map((table) =>
    table.schema === schema ? table.name : `${table.schema}.${table.name}`,
  );
  const read = subject === undefined ? [] : sourceColumns(subject).keys();
  return [...new Set([...known, ...read])];
}

export function columnsToWrite(tests: TestsInEditor, table: string): readonly string[] {
  const { subject, file } = tests.prepared;
  const known = tableOf(tests, table);
  const read = subject === undefined ? [] : (sourceColumns(subject).get(table) ?? []);
  const written = file.rows
    .filter((row) => row.table.value === table)
    .flatMap(({ columns }) => columns.map(({ value }) => value));
  return [
    ...new Set([...(known?.columns.keys() ?? []), ...(known === undefined ? [...read, ...written] : [])]),
  ];
}

/** Returns the values of a column, if the source lists them. */
export function valuesToWrite(tests: TestsInEditor, table: string, column: string): readonly string[] {
  return tableOf(tests, table)?.columns.get(column)?.values ?? [];
}

function tableOf({ prepared: { catalog, subject } }: TestsInEditor, table: string) {
  const schema = subject?.config.surroundings.defaultSchema ?? 'public';
  return catalog?.tables.find(
    (each) => each.name === table && (each.schema === schema || `${each.schema}.${each.name}` === table),
  );
}

/** Returns the names of the tables on clients. */
export function clientTables({ prepared: { subject } }: TestsInEditor): readonly string[] {
  const rules = (subject?.plans ?? []).flatMap(({ sources }) => sources.flatMap((source) => source.rules));
  return [
    ...new Set(
      rules.flatMap(({ outputTable, table }) => outputTable ?? (table.name.wildcard ? [] : table.name.text)),
    ),
  ];
}

/** Returns the names of the request values that the config, or one of its streams, reads. */
export function requestNames(
  { prepared: { subject } }: TestsInEditor,
  part: RequestPart,
  stream?: string,
): readonly string[] {
  const plans = (subject?.plans ?? []).filter(({ name }) => stream === undefined || name === stream);
  const names = plans.flatMap((plan) =>
    requestReads(plan).flatMap((read) => (read.part === part ? read.path.slice(0, 1) : [])),
  );
  return [...new Set(names)];
}

/** Returns the ids of all rows that the file contains. */
export function rowIds({ prepared: { file, seeds } }: TestsInEditor, table: string): readonly string[] {
  const steps = file.tests.flatMap((test) => test.steps);
  const inserted = steps.flatMap((step) => (step.kind === 'insert' ? step.rows : []));
  const written = [...file.rows, ...inserted].filter((row) => row.table.value === table);
  const stored = seeds.filter((row) => row.table === table);
  return [...new Set([...written, ...stored].map(({ id }) => id))]
    .filter((id) => id !== '')
    .slice(0, mostIds);
}

/** The maximum number of ids. A longer list would not be read. */
const mostIds = 200;
