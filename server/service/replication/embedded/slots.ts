/** Slots: the progress of each stream, and the part of the log that may be deleted. */
import { firstPosition, type LogPosition } from '../../ground/logPosition.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { World } from '../../ground/world.ts';
import { numberOf, toLsn } from '../postgres/lsn.ts';
import type { SourceHistory } from '../source.ts';
import type { Answer, Query } from './database/protocol.ts';

interface Queries {
  query(sql: string, parameters?: Query['parameters']): Promise<Answer>;
}

/** The minimum interval between deletions from the log, in milliseconds. */
const cutInterval = 1000;

export async function ensureSlot(database: Queries, slot: string): Promise<'kept' | 'created'> {
  const { rows } = await database.query(createSlot, [slot]);
  return rows.length > 0 ? 'created' : 'kept';
}

const createSlot = `
  INSERT INTO headwater.slot SELECT $1, CASE WHEN is_called THEN last_value ELSE 0 END FROM headwater.log_seq_seq
  ON CONFLICT DO NOTHING RETURNING name`;

export async function positionIn(database: Queries): Promise<LogPosition> {
  const { rows } = await database.query(
    'SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM headwater.log_seq_seq',
  );
  return toLsn(BigInt(rows[0]?.[0] ?? 0));
}

export async function confirmedIn(database: Queries, slot: string): Promise<bigint> {
  const { rows } = await database.query('SELECT confirmed FROM headwater.slot WHERE name = $1', [slot]);
  return BigInt(rows[0]?.[0] ?? 0);
}

/**
 * Begins a timeline at each start of the database, because a restored folder must continue on a separate timeline. The timeline
 * begins after the current position; after a crash, the sequence may already be ahead of that.
 */
export const beginTimeline = `
  INSERT INTO headwater.timeline (began) SELECT greatest(
    (SELECT max(seq) FROM headwater.log), (SELECT max(confirmed) FROM headwater.slot), 0);
  DELETE FROM headwater.timeline WHERE number > 1 AND number < (SELECT max(number) - 1000 FROM headwater.timeline)`;

/** Returns the timelines. The first one identifies the database, because every database begins with a new one. */
export async function historyIn(database: Queries): Promise<SourceHistory> {
  const { rows } = await database.query('SELECT id, began FROM headwater.timeline ORDER BY number');
  const branches = rows.map(([id], index) => {
    const next = rows[index + 1]?.[1];
    return { id: String(id), ...(next != null && { end: toLsn(BigInt(next)) }) };
  });
  return { system: branches[0]?.id ?? '', branches };
}

interface LogCutter {
  acknowledge(position: LogPosition): void;
  finish(): Promise<void>;
}

/** Forgets the descriptions of dropped tables, once no entry of the log refers to them. */
const forgetDropped = `
  DELETE FROM headwater.description AS d WHERE NOT EXISTS (SELECT FROM pg_class WHERE oid = d.relation)
  AND NOT EXISTS (SELECT FROM headwater.log AS l WHERE l.relation = d.relation)`;

/**
 * Returns a function for acknowledgements. They are written immediately, because an outdated storage is recognised by them.
 * Events that every slot has confirmed are deleted from the log later, because reading them again does no harm.
 */
export function openLogCutter(database: Queries, slot: string, { clock, log }: World): LogCutter {
  let confirmed = firstPosition;
  let written = firstPosition;
  let writing: Promise<void> | undefined;
  let isWaiting = false;
  const write = async (): Promise<void> => {
    while (written !== confirmed) {
      const until = confirmed;
      await database.query(
        'UPDATE headwater.slot SET confirmed = greatest(confirmed, $2::int8) WHERE name = $1',
        [slot, String(numberOf(until))],
      );
      written = until;
    }
  };
  const startWriting = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };
  const cut = async (): Promise<void> => {
    await startWriting();
    await database.query(
      'DELETE FROM headwater.log WHERE seq <= (SELECT min(confirmed) FROM headwater.slot)',
    );
    await database.query(forgetDropped);
  };
  const say = (error: unknown) =>
    log.write('debug', 'Could not truncate the log of the embedded database.', { error: String(error) });
  const cutLater = async (): Promise<void> => {
    await clock.sleep(cutInterval);
    await cut().catch(say);
    isWaiting = false;
  };
  return {
    acknowledge(position) {
      if (position <= confirmed) return;
      confirmed = position;
      startWriting().catch(say);
      if (isWaiting) return;
      isWaiting = true;
      startAlone('Truncating the log', cutLater);
    },
    finish: () => cut().catch(() => undefined),
  };
}
