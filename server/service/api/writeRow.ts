/** A row of the embedded database, written for an admin who edits it in the console. */
import { ServiceError } from '../ground/errors.ts';
import type { Parameters } from '../http/route.ts';
import type { RowEdit } from '../replication/source.ts';
import type { ApiParts } from './parts.ts';

const kinds = ['insert', 'update', 'delete'];

export function problemsInRow({ schema, table, change, key, values }: Parameters): readonly string[] {
  return [
    ...(typeof schema === 'string' ? [] : [`The property 'schema' must be a string.`]),
    ...(typeof table === 'string' ? [] : [`The property 'table' must be a string.`]),
    ...(kinds.includes(String(change)) ? [] : [`The property 'change' must be insert, update or delete.`]),
    ...(key === undefined || areValues(key) ? [] : [wrongValues('key')]),
    ...(values === undefined || areValues(values) ? [] : [wrongValues('values')]),
  ];
}

function wrongValues(name: string): string {
  return `The property '${name}' must have a string or null for each column.`;
}

function areValues(value: unknown): value is RowEdit['values'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((each) => each === null || typeof each === 'string');
}

/** What the database refuses is an answer, as of `execute-sql`. */
export async function answerWriteRow(
  { schema, table, change, key = {}, values = {} }: Parameters,
  { source, hasConsole }: ApiParts,
): Promise<unknown> {
  if (source.own === undefined)
    throw new ServiceError(
      'SVC_S4107',
      `${source.uri} does not belong to the service, which only reads it. Rows are written into an embedded database only.`,
    );
  if (!hasConsole)
    throw new ServiceError(
      'SVC_S4107',
      'Rows are written only where there is a console: where this machine alone reaches the service, or with `console: true`.',
    );
  try {
    const row = await source.own.write({
      kind: change as RowEdit['kind'],
      schema: String(schema),
      table: String(table),
      key: key as RowEdit['key'],
      values: values as RowEdit['values'],
    });
    return { success: true, key: row.key, position: row.position };
  } catch (error) {
    return { success: false, error: error instanceof Error ? error.message : String(error) };
  }
}
