/** Reads a sync stream as a client does, up to the first complete state, and stores nothing. */

import { t } from '../l10n.ts';
import type { Connection, Reply } from './connection.ts';
import { explainNoJson, explainReply, parseJson, type SentToken } from './explain.ts';
import { ApiFailure } from './failure.ts';
import { isObject } from './reading.ts';
import { collectSync, type SyncQuestion, type SyncResult } from './synced.ts';

export interface SyncOptions {
  /** Called while rows arrive, with the number of rows so far. */
  readonly onRows?: (rows: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The maximum amounts, which are as much as a person can look at. Characters include operations that later ones replace. */
const most = { rows: 10_000, characters: 32 * 1024 * 1024 };
/** The timeout for the entire sync, in milliseconds. */
const limit = 120_000;

export async function syncOnce(
  connection: Connection,
  question: SyncQuestion,
  token: SentToken,
  { onRows, signal }: SyncOptions,
): Promise<SyncResult> {
  const call = {
    method: 'POST',
    path: '/sync/stream',
    body: { type: 'application/json', text: JSON.stringify(bodyOf(question)) },
    limit,
  } as const;
  const { address } = connection;
  const stream = await connection.stream(call, signal);
  if (!('lines' in stream)) throw explainRefusal(explainReply(stream, call, address, token));
  const collecting = collectSync(question);
  let left = most.characters;
  for await (const line of stream.lines) {
    if (line === '') continue;
    const value = parseJson(line);
    if (!isObject(value)) throw explainNoJson({ ...stream, text: line } satisfies Reply, address);
    const isWhole = collecting.take(value);
    left -= line.length;
    const rows = collecting.rows();
    onRows?.(rows);
    if (isWhole || left < 0 || rows > most.rows) return collecting.result();
  }
  throw new ApiFailure('lost', t('{0} ended the stream before it was complete.', address.host));
}

function bodyOf({ parameters, subscriptions }: SyncQuestion): object {
  return {
    buckets: [],
    include_checksum: true,
    raw_data: true,
    parameters,
    streams: {
      include_defaults: true,
      subscriptions: subscriptions.map((each) => ({ ...each, override_priority: null })),
    },
  };
}

/** A client's token can be wrong in more ways than an admin's, so its problem is explained at length. */
function explainRefusal(failure: ApiFailure): ApiFailure {
  const { kind, message, facts } = failure;
  if (kind !== 'unauthorized' || facts.details === undefined) return failure;
  return new ApiFailure(kind, `${message} ${facts.details}`, facts);
}
