/** Reads the log of captured changes from a position, as events. */

import type { TableId } from '../../ground/sourceIds.ts';
import { toLsn } from '../postgres/lsn.ts';
import type { ChangeEvent } from '../source.ts';
import type { EmbeddedDatabase } from './database.ts';

interface LogPage {
  readonly entries: readonly LogEntry[];
  /** All changes that were committed up to this position have been read. */
  readonly end: bigint;
  /** Whether more entries may be waiting. */
  readonly isFull: boolean;
  readonly turns: number;
}

export interface LogEntry {
  readonly seq: bigint;
  readonly xid: string;
  readonly kind: 'I' | 'U' | 'D' | 'X' | 'T' | 'M';
  readonly oid: TableId;
  readonly row: string | null;
  readonly old: string | null;
}

const pageSize = 5000;

/**
 * Reads the log after a position. There is only one session, so all entries are committed, and they are in the order of commits.
 */
export async function readLog(database: EmbeddedDatabase, after: bigint): Promise<LogPage> {
  const { rows, turns } = await database.query(
    `SELECT seq, xid, kind, relation, new_row, old_row FROM headwater.log WHERE seq > $1::int8
     UNION ALL SELECT CASE WHEN is_called THEN last_value ELSE 0 END, NULL, NULL, NULL, NULL, NULL FROM headwater.log_seq_seq
     ORDER BY 1, 3 NULLS LAST LIMIT ${pageSize + 1}`,
    [String(after)],
  );
  const isFull = rows.length > pageSize;
  const entries = rows
    .filter(([, , kind], index) => kind !== null && index < pageSize)
    .map(([seq, xid, kind, oid, row = null, old = null]) => ({
      seq: BigInt(seq as string),
      xid: xid as string,
      kind: kind as LogEntry['kind'],
      oid: Number(oid) as TableId,
      row,
      old,
    }));
  const last = isFull ? entries.at(-1)?.seq : BigInt(rows.at(-1)?.[0] ?? after);
  return { entries, end: last ?? after, isFull, turns };
}

/** The transaction whose entries are being grouped. It is kept across pages, because a transaction may fill several pages. */
export interface OpenGroup {
  open: { readonly xid: string; readonly first: bigint; readonly last: bigint } | undefined;
}

export function* toEvents(
  { entries, end, isFull }: LogPage,
  grouping: OpenGroup,
  toChange: (entry: LogEntry) => ChangeEvent,
  now: number,
): Iterable<ChangeEvent> {
  for (const entry of entries) {
    if (grouping.open !== undefined && grouping.open.xid !== entry.xid) yield commitOf(grouping);
    if (grouping.open === undefined && entry.kind === 'M') {
      yield { kind: 'keepalive', position: toLsn(entry.seq), marked: true };
      continue;
    }
    if (grouping.open === undefined) yield { kind: 'begin', at: now, last: { position: toLsn(entry.seq) } };
    grouping.open = { xid: entry.xid, first: grouping.open?.first ?? entry.seq, last: entry.seq };
    if (entry.kind !== 'M') yield toChange(entry);
  }
  if (isFull) return;
  if (grouping.open !== undefined) yield commitOf(grouping);
  else if (entries.length === 0)
    yield { kind: 'keepalive', position: toLsn(end), marked: false, passing: true };
}

function commitOf(grouping: OpenGroup): ChangeEvent {
  const { first = 0n, last = 0n } = grouping.open ?? {};
  grouping.open = undefined;
  return { kind: 'commit', position: toLsn(last), from: toLsn(first) };
}
