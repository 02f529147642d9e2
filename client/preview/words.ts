/** A preview as text: bucket by bucket, why the user has it, and the rows in it. */
import type { SyncBucket, SyncReason, SyncResult } from '../api/synced.ts';
import { countText } from '../health/words.ts';
import { t } from '../l10n.ts';

export interface Preview {
  readonly user: string;
  /** The name of the service. */
  readonly target: string;
  /** When it was read, in words. */
  readonly at: string;
  readonly synced: SyncResult;
}

/** Characters of a row: the rest of it is left out. */
const longestRow = 2_000;
/** Buckets with all that is said of them: the rest is counted. */
const mostBuckets = 500;

export function textOf({ user, target, at, synced }: Preview): string {
  const { buckets, problems, unknownStreams, opId } = synced;
  const rows = buckets.reduce((sum, bucket) => sum + bucket.rows.length, 0);
  const shown = buckets.slice(0, mostBuckets);
  return [
    [
      t('What {0} gets from {1}', user, target),
      t('Read as a client at {0}. Buckets: {1}. Rows: {2}.', at, countText(buckets.length), countText(rows)),
      ...(synced.isWhole ? [t('All of it is of one moment: operation {0}.', opId)] : [cutText(rows)]),
    ],
    [
      ...problems.map((problem) => t('The service says: {0}', problem)),
      ...unknownStreams.map((stream) => t('There is no stream {0}: nothing was subscribed to.', stream)),
      ...(buckets.length === 0 ? [t('There is no bucket for this user.')] : []),
    ],
    ...shown.map(bucketLines),
    shown.length < buckets.length
      ? [t('{0} more buckets are not shown.', buckets.length - shown.length)]
      : [],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function cutText(rows: number): string {
  return t(
    'Reading stopped after {0} rows: there are more, and some of these may have changed or be gone.',
    countText(rows),
  );
}

function bucketLines({ name, priority, reasons, rows }: SyncBucket): readonly string[] {
  const why = reasons.map(reasonText).join(', ');
  return [
    `${name}  ${[...(why === '' ? [] : [why]), t('priority {0}', priority)].join(', ')}`,
    ...rows.map(({ table, id, data }) => `  ${table} ${id}  ${cut(withoutId(data, id))}`),
    ...(rows.length === 0 ? [`  ${t('no rows')}`] : []),
  ];
}

function reasonText({ stream, subscription }: SyncReason): string {
  return subscription === 'default'
    ? t('{0}, auto-subscribed', stream)
    : t('{0}, subscription {1}', stream, subscription + 1);
}

/** It stands before it already. */
function withoutId(data: string, id: string): string {
  const first = `{"id":${JSON.stringify(id)}`;
  if (!data.startsWith(first)) return data;
  return `{${data.slice(first.length).replace(/^,/, '')}`;
}

function cut(data: string): string {
  return data.length <= longestRow ? data : `${data.slice(0, longestRow)}…`;
}
