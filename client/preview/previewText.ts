/** Writes a preview as text: each bucket with the reason why the user has it, and its rows. */
import { readRowFields } from '../api/rowFields.ts';
import type { SyncBucket, SyncReason, SyncResult } from '../api/synced.ts';
import { drawTable } from '../drawTable.ts';
import { countText, rowsText } from '../health/amounts.ts';
import { t } from '../l10n.ts';

export interface Preview {
  readonly user: string;
  /** The name of the service. */
  readonly target: string;
  /** The time at which the rows were read, for people. */
  readonly at: string;
  readonly synced: SyncResult;
}

/** The maximum number of buckets that are shown. Further buckets are only counted. */
const mostBuckets = 500;

export function previewText({ user, target, at, synced }: Preview): string {
  const { buckets, problems, unknownStreams, opId } = synced;
  const rows = buckets.reduce((sum, bucket) => sum + bucket.rows.length, 0);
  const shown = buckets.slice(0, mostBuckets);
  return [
    [
      t('Rows of {0} from {1}', user, target),
      t('Read as a client at {0}. Buckets: {1}. Rows: {2}.', at, countText(buckets.length), countText(rows)),
      ...(synced.isWhole
        ? [t('All rows are from one consistent state: operation {0}.', opId)]
        : [cutText(rows)]),
    ],
    [
      ...problems.map((problem) => t('The service reports: {0}', problem)),
      ...unknownStreams.map((stream) => t('There is no stream {0}, so nothing was subscribed to.', stream)),
      ...(buckets.length === 0 ? [t('This user has no buckets.')] : []),
    ],
    ...shown.map(bucketLines),
    shown.length < buckets.length
      ? [t('Buckets that are not shown: {0}.', buckets.length - shown.length)]
      : [],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function cutText(rows: number): string {
  return t(
    'Reading stopped after {0}. There are more rows, and some of these may have changed or no longer exist.',
    rowsText(rows),
  );
}

function bucketLines({ name, priority, reasons, rows }: SyncBucket): readonly string[] {
  const why = reasons.map(reasonText).join(', ');
  const tables = [...new Set(rows.map(({ table }) => table))];
  return [
    `${name}  ${[...(why === '' ? [] : [why]), t('priority {0}', priority)].join(', ')}`,
    ...tables.flatMap((table) =>
      tableLines(
        table,
        rows.filter((row) => row.table === table),
      ),
    ),
    ...(rows.length === 0 ? [`  ${t('no rows')}`] : []),
  ];
}

/** Draws the rows of a table, with all columns that any of them has. */
function tableLines(table: string, rows: SyncBucket['rows']): readonly string[] {
  const read = rows.map(({ id, data }) => new Map([['id', id], ...fieldsOfRow(data)]));
  const columns = [...new Set(read.flatMap((row) => [...row.keys()]))];
  const cells = read.map((row) => columns.map((column) => row.get(column) ?? null));
  return [`  ${table}: ${rowsText(rows.length)}`, ...drawTable(columns, cells).map((line) => `    ${line}`)];
}

/** Returns the columns of a row. Data that is not a JSON object is shown unchanged. */
function fieldsOfRow(data: string): readonly (readonly [string, string | null])[] {
  const fields = readRowFields(data);
  if (fields === undefined) return data === '' ? [] : [['data', data]];
  return fields.map(({ name, kind, text }) => [name, kind === 'null' ? null : text]);
}

function reasonText({ stream, subscription }: SyncReason): string {
  return subscription === 'default'
    ? t('{0}, auto-subscribed', stream)
    : t('{0}, subscription {1}', stream, subscription + 1);
}
