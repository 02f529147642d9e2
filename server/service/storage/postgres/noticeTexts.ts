/**
 * Notices as texts of notifications. The names of changed parts may need several notifications: the parts come first, then the
 * message, which contains their number. A process that misses a part, or is too old to know parts, only learns that something has
 * changed.
 */
import { randomUUID } from 'node:crypto';
import type { LogPosition } from '../../ground/logPosition.ts';
import type { ChangedParts, Notice, OpId } from '../storage.ts';

interface NoticeTexts {
  readonly parts: readonly string[];
  readonly last: string;
}

/** The maximum size of a notification in bytes. PostgreSQL accepts less than 8,000. */
const maxPayload = 7_900;
/**
 * The maximum number of parts. They have about 2 MB for each process, and evaluating all of a process's clients again costs about
 * as much.
 */
const mostParts = 250;

interface Payload {
  readonly from: string;
  readonly deployment: number;
  readonly opId: OpId;
  readonly lsn: LogPosition;
  readonly buckets?: readonly string[];
  readonly lookups?: readonly string[];
  readonly activated?: Notice['activated'];
  readonly parts?: { readonly of: string; readonly count: number };
}

interface Part {
  readonly of: string;
  readonly buckets?: readonly string[];
  readonly lookups?: readonly string[];
}

export function writeMessage(from: string, notice: Notice): NoticeTexts {
  const { deployment, checkpoint, changed, activated } = notice;
  const { opId, position: lsn } = checkpoint;
  const short: Payload = { from, deployment, opId, lsn, ...(activated && { activated }) };
  if (changed === undefined) return { parts: [], last: JSON.stringify(short) };
  if (changed.buckets.size + changed.lookups.size <= maxPayload / 4) {
    const full: Payload = { ...short, buckets: [...changed.buckets], lookups: [...changed.lookups] };
    const text = JSON.stringify(full);
    if (Buffer.byteLength(text) <= maxPayload) return { parts: [], last: text };
  }
  const of = randomUUID();
  const parts = writeParts(of, changed);
  if (parts === undefined) return { parts: [], last: JSON.stringify(short) };
  return { parts, last: JSON.stringify({ ...short, parts: { of, count: parts.length } }) };
}

/** Returns undefined if there are too many parts, or if one name is too long. */
function writeParts(of: string, changed: ChangedParts): readonly string[] | undefined {
  const parts: string[] = [];
  for (const what of ['buckets', 'lookups'] as const) {
    const empty = Buffer.byteLength(JSON.stringify({ of, [what]: [] } satisfies Part));
    let names: string[] = [];
    let size = empty;
    const finish = (): void => {
      if (names.length > 0) parts.push(JSON.stringify({ of, [what]: names } satisfies Part));
      names = [];
      size = empty;
    };
    for (const name of changed[what]) {
      const own = Buffer.byteLength(JSON.stringify(name)) + 1;
      if (empty + own > maxPayload) return undefined;
      if (size + own > maxPayload) finish();
      names.push(name);
      size += own;
    }
    finish();
  }
  return parts.length <= mostParts ? parts : undefined;
}

interface MessageReader {
  /** Takes a part of a message that follows. */
  takePart(text: string): void;
  /** Returns the notice, or undefined if the text is not a notice of another process. */
  take(text: string): Notice | undefined;
}

/** Returns a reader for the messages of one connection, which receives all notifications of a transaction in order. */
export function openMessageReader(self: string): MessageReader {
  let gathered: Part[] = [];
  return {
    takePart: (text) => {
      const part = read<Part>(text);
      if (part === undefined) return;
      if (gathered[0]?.of !== part.of) gathered = [];
      gathered.push(part);
    },
    take: (text) => {
      const message = read<Payload>(text);
      const before = gathered;
      gathered = [];
      if (message === undefined || message.from === self) return undefined;
      const { deployment, opId, lsn, activated } = message;
      const changed = changedBy(message, before);
      return {
        deployment,
        checkpoint: { opId, position: lsn },
        ...(changed && { changed }),
        ...(activated && { activated }),
      };
    },
  };
}

function changedBy({ buckets, lookups, parts }: Payload, before: readonly Part[]): ChangedParts | undefined {
  if (buckets !== undefined && lookups !== undefined)
    return { buckets: new Set(buckets), lookups: new Set(lookups) };
  if (parts === undefined || before.length !== parts.count) return undefined;
  if (before.some(({ of }) => of !== parts.of)) return undefined;
  return {
    buckets: new Set(before.flatMap((part) => part.buckets ?? [])),
    lookups: new Set(before.flatMap((part) => part.lookups ?? [])),
  };
}

/** Returns undefined if the text is not one of our messages. */
function read<T extends object>(text: string): T | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
