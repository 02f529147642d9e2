/**
 * Reads the rows of a table in pages. Each statement sees the rows that are committed when it begins. No snapshot is kept for the
 * entire copy, because the stream corrects later changes.
 */

import type { Row } from '../../../../engine/plan/evaluate/scope.ts';
import type { ValueOptions } from '../../../../engine/plan/values/postgres/convert.ts';
import { quoteName } from '../../../../engine/sql/names.ts';
import type { PostgresConnection } from '../../../config/settings.ts';
import { type Client, openClient } from '../../../postgres/client.ts';
import type { CopyProgress } from '../../../storage/storage.ts';
import type { CopyPage, FailedRow, TableInfo } from '../../source.ts';
import { readCopyLine } from '../copyText.ts';
import { quoteText } from '../identifiers.ts';
import { logEnd, toPosition } from '../log/position.ts';
import type { Queries } from '../queries.ts';
import { type Column, mostBytes, toColumns, toKeyRow, tooLarge, toRow } from '../rows.ts';
import { toSourceFailure } from '../sourceFailures.ts';
import type { TypeCatalog } from '../types.ts';

import { copyOut, type Lines } from './copyOut.ts';
import { type CopyShape, readShape } from './shape.ts';

export interface CopySource {
  readonly connection: PostgresConnection;
  readonly queries: Queries;
  readonly types: TypeCatalog;
  readonly options: ValueOptions;
}

/** The maximum number of rows of one statement. */
const statementRows = 10_000;
/** The number of rows in a page. It is low, so that the rows become garbage before V8 moves them to its old generation. */
const pageRows = 500;
/** The maximum size of a page in bytes. A page of large rows has fewer rows. */
const pageBytes = 2 * 1024 * 1024;

export async function* copyTable(
  source: CopySource,
  table: TableInfo,
  progress: CopyProgress | undefined,
  onProgress: () => void,
  signal: AbortSignal,
): AsyncGenerator<CopyPage, void> {
  const { connection } = source;
  let client: Client | undefined;
  try {
    const shape = await readShape(source.queries, table);
    await source.types.load(shape.columns.map(({ type }) => type));
    client = await openClient(connection);
    // If row-level security is enabled in the meantime, the copy fails instead of omitting rows.
    await client.query(`SET row_security = ${shape.isSecured ? 'on' : 'off'}`);
    for await (const page of pages(client, shape, source, table, progress, signal)) {
      onProgress();
      yield page;
    }
  } catch (error) {
    if (!signal.aborted) throw toSourceFailure(error, connection);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

async function* pages(
  client: Client,
  shape: CopyShape,
  { queries, types, options, connection }: CopySource,
  table: TableInfo,
  progress: CopyProgress | undefined,
  signal: AbortSignal,
): AsyncGenerator<CopyPage, void> {
  const columns = toColumns(shape.columns, types, options);
  // The policies of a table cannot change during a statement, but between two of them.
  const canResume = isResumable(table) && !shape.isSecured;
  const key = canResume ? columns.findIndex(({ isKey }) => isKey) : undefined;
  const limits = {
    lines: pageRows,
    bytes: pageBytes,
    silenceMs: connection.snapshotSocketTimeoutSeconds * 1000,
  };
  let lastKey = key === undefined ? undefined : progress?.lastKey;
  let copiedRows = lastKey === undefined ? 0 : (progress?.copiedRows ?? 0);
  const progressNow = (): CopyProgress => ({
    copiedRows,
    ...(table.estimatedRows !== undefined && { estimatedRows: table.estimatedRows }),
    ...(lastKey !== undefined && { lastKey }),
  });

  let isComplete = false;
  while (!isComplete) {
    let found = 0;
    const sql = copyStatement(shape, key === undefined ? undefined : columns[key]?.name, lastKey);
    for await (const batch of copyOut(client, sql, limits, signal)) {
      const { rows, failed, last } = toPage(batch, columns, key);
      const isFirst = found === 0;
      found += batch.lines.length;
      copiedRows += batch.lines.length;
      if (last !== undefined) lastKey = last;
      yield { rows, failed, progress: progressNow(), ...(!isFirst && { isOfSameState: true }) };
    }
    if (signal.aborted) return;
    isComplete = key === undefined || found < statementRows;
  }
  // Fails if the policies were changed before the statement began.
  if (shape.isSecured) await readShape(queries, table);
  const end = await client.query<{ lsn: string }>(`SELECT ${logEnd} AS lsn`);
  const position = toPosition(end.rows[0]?.lsn ?? '');
  yield { rows: [], failed: [], progress: progressNow(), position };
}

/** The types whose order PostgreSQL can find with an index, and whose text represents the value exactly. */
const resumableTypes = new Set(['text', 'varchar', 'uuid', 'int2', 'int4', 'int8']);

/** Whether a copy can be resumed by the only identity column, which has an index and no NULLs. */
function isResumable({ identity, identityKind }: TableInfo): boolean {
  const [column] = identity;
  const isUnique = identityKind === 'default' || identityKind === 'index';
  return isUnique && identity.length === 1 && column !== undefined && resumableTypes.has(column.type);
}

/** Returns the statement for the next rows. Only the database orders and compares keys, because it may have its own collation. */
function copyStatement(shape: CopyShape, key: string | undefined, lastKey: string | undefined): string {
  if (key === undefined) return `COPY (${shape.select}${whereOf(shape.conditions)}) TO STDOUT`;
  const column = quoteName(key);
  const after = lastKey === undefined ? [] : [`${column} >${quoteText(lastKey)}`];
  const where = whereOf([...shape.conditions, ...after]);
  return `COPY (${shape.select}${where} ORDER BY ${column} LIMIT ${statementRows}) TO STDOUT`;
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

interface PageRows {
  readonly rows: readonly Row[];
  readonly failed: readonly FailedRow[];
  /** The key of the last row as text. */
  readonly last?: string;
}

function toPage({ lines, sizes }: Lines, columns: readonly Column[], key: number | undefined): PageRows {
  const rows: Row[] = [];
  const failed: FailedRow[] = [];
  let fields: (string | null)[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    fields = readCopyLine(lines[at] as string);
    const bytes = sizes[at] as number;
    if (bytes > mostBytes) {
      failed.push({ identity: toKeyRow(columns, fields), message: tooLarge(bytes) });
      continue;
    }
    const result = toRow(columns, fields);
    if (result.kind === 'row') rows.push(result.row);
    else failed.push({ identity: result.row, message: result.message });
  }
  const last = key === undefined ? undefined : fields[key];
  return { rows, failed, ...(typeof last === 'string' && { last }) };
}
