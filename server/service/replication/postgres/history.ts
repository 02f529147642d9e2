/**
 * Reads the identity of the server and the history of its log, over connections for replication, on which every role may read
 * them.
 */
import type { PostgresConnection } from '../../config/settings.ts';
import { type Client, openClient } from '../../postgres/client.ts';
import type { LogBranch, SourceHistory } from '../source.ts';
import { readLsn } from './lsn.ts';
import { toSourceFailure } from './sourceFailures.ts';

export async function askHistory(connection: PostgresConnection): Promise<SourceHistory> {
  let client: Client | undefined;
  try {
    client = await openClient(connection, 'replication');
    return await readHistory(client);
  } catch (error) {
    throw toSourceFailure(error, connection);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

export async function readHistory(client: Client): Promise<SourceHistory> {
  const { rows } = await client.query<{ readonly systemid: string; readonly timeline: number }>(
    'IDENTIFY_SYSTEM',
  );
  const [{ systemid: system = '', timeline = 1 } = {}] = rows;
  const { rows: states } = await client.query<{ readonly in_recovery: boolean }>(
    'SELECT pg_is_in_recovery() AS in_recovery',
  );
  if (states[0]?.in_recovery !== false) return { system };
  const former = timeline === 1 ? [] : await readFormer(client, timeline);
  return former === undefined ? { system } : { system, branches: [...former, { id: String(timeline) }] };
}

/** Returns undefined if the server no longer has a file about the timeline. */
async function readFormer(client: Client, timeline: number): Promise<readonly LogBranch[] | undefined> {
  const answer = client.query<{ readonly content: Buffer | string }>(`TIMELINE_HISTORY ${timeline}`);
  const found = await answer.catch(() => undefined);
  const content = found?.rows[0]?.content;
  return content === undefined ? undefined : timelinesIn(content.toString());
}

/** Returns the timelines. Each line contains the number of a timeline, the beginning of the next one, and a reason. */
export function timelinesIn(text: string): readonly LogBranch[] {
  return text.split('\n').flatMap((line) => {
    const [, id, at = ''] = /^\s*(\d+)\s+([0-9A-F]+\/[0-9A-F]+)/i.exec(line) ?? [];
    const end = readLsn(at);
    return id === undefined || end === undefined ? [] : [{ id, end }];
  });
}
