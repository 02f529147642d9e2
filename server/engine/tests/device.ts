/** Evaluates the device of one user: the rows of the buckets that the request gets. */

import type { RequestResult, Subscription, SyncRequest } from '../plan/evaluate/requests.ts';
import { requestDocument } from '../plan/evaluate/scope.ts';
import { isJsonObject, type JsonObject, readJson, writeJson } from '../plan/values/json.ts';
import { answerFrom, type RowIndex, type TestedRow } from './rowIndex.ts';
import type { TestSubject } from './subject.ts';

/** The user of a device and their subscriptions. */
export interface Asking {
  readonly claims: JsonObject;
  readonly parameters: JsonObject;
  readonly subscriptions: readonly { readonly stream: string; readonly parameters: JsonObject }[];
}

export interface DeviceRow {
  readonly id: string;
  /** The JSON objects of the row, one for each of its buckets. */
  readonly data: readonly string[];
  readonly buckets: readonly string[];
}

export interface Device {
  /** The rows by their table on clients, then by id. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, DeviceRow>>;
  readonly request: RequestResult;
}

export function syncRequestOf({ claims, parameters, subscriptions }: Asking): SyncRequest {
  return {
    claims: requestDocument(writeJson(claims)),
    connection: requestDocument(writeJson(parameters)),
    includeDefaults: true,
    subscriptions: subscriptions.map(
      ({ stream, parameters: own }): Subscription => ({
        stream,
        parameters: requestDocument(writeJson(own)),
      }),
    ),
  };
}

export function deviceOf(subject: TestSubject, database: RowIndex, asking: Asking): Device {
  const request = answerFrom(database, subject.evaluator.request(syncRequestOf(asking)));
  const tables = new Map<string, Map<string, DeviceRow>>();
  for (const { bucket } of request.buckets)
    for (const { table, id, data } of database.inBucket(bucket)) {
      const rows = tables.get(table) ?? new Map<string, DeviceRow>();
      tables.set(table, rows);
      const known = rows.get(id);
      rows.set(id, {
        id,
        data: [...(known?.data ?? []), data],
        buckets: [...(known?.buckets ?? []), bucket],
      });
    }
  return { tables, request };
}

/** Whether a row of the source is on the device, in one of the given client tables. */
export function hasRow(
  device: Device,
  { table, values }: TestedRow,
  clientTables: readonly string[] | 'any',
  subject: TestSubject,
): boolean {
  return subject
    .resultOf(table, values)
    .rows.some(
      (row) =>
        (clientTables === 'any' || clientTables.includes(row.table)) &&
        device.tables.get(row.table)?.get(row.id)?.buckets.includes(row.bucket),
    );
}

/** Returns the columns of a row, combined from all of its buckets. */
export function columnsOnDevice({ data }: DeviceRow): readonly string[] {
  const names = data.flatMap((each) => {
    const row = readJson(each);
    return isJsonObject(row) ? Object.keys(row) : [];
  });
  return [...new Set(names)];
}
