/** Messages of the PostgreSQL protocol, version 3, as far as a server for one shared session must understand them. */

export interface Message {
  /** The type as one letter. Empty for a start-up message. */
  readonly type: string;
  /** The complete message as received, with its type and its length. */
  readonly bytes: Buffer;
}

/** Returns the content of a message, without type and length. */
export function bodyOf({ bytes }: Message): Buffer {
  return bytes.subarray(5);
}

/** Splits a stream of bytes into messages. Incomplete messages wait. */
interface Framer {
  push(bytes: Buffer): void;
  /** Returns the number of bytes that are not yet part of a message. */
  waiting(): number;
  next(): Message | undefined;
  /** Returns the first message of a connection, which has no type, or undefined until it is complete. */
  nextStartup(): Buffer | undefined;
}

/** PostgreSQL's own limit for the size of a message, in bytes. */
const longest = 1 << 30;

export class BrokenFrame extends Error {}

export function openFraming(): Framer {
  let waiting: Buffer = Buffer.alloc(0);
  /**
   * The bytes after {@link waiting}. They are joined only when a message is complete; otherwise, each piece would copy all bytes
   * before it.
   */
  let parts: Buffer[] = [];
  let size = 0;
  const gather = (): void => {
    if (parts.length > 0) waiting = Buffer.concat([waiting, ...parts], size);
    parts = [];
  };
  /** Returns undefined until all bytes have arrived. */
  const take = (length: number): Buffer | undefined => {
    if (size < length) return undefined;
    gather();
    const taken = waiting.subarray(0, length);
    waiting = waiting.subarray(length);
    size -= length;
    return taken;
  };
  /** Returns the length field after `before` bytes. */
  const lengthAfter = (before: number): number | undefined => {
    if (size < before + 4) return undefined;
    if (waiting.length < before + 4) gather();
    return readLength(waiting, before);
  };
  return {
    push(bytes) {
      parts.push(bytes);
      size += bytes.length;
    },
    waiting: () => size,
    next() {
      const length = lengthAfter(1);
      const bytes = length === undefined ? undefined : take(length + 1);
      return bytes && { type: String.fromCharCode(bytes[0] as number), bytes };
    },
    nextStartup() {
      const length = lengthAfter(0);
      return length === undefined ? undefined : take(length);
    },
  };
}

function readLength(bytes: Buffer, at: number): number {
  const length = bytes.readInt32BE(at);
  if (length < 4 || length > longest) throw new BrokenFrame('This is not the PostgreSQL protocol.');
  return length;
}

export function messagesIn(bytes: Buffer): readonly Message[] {
  const framing = openFraming();
  framing.push(bytes);
  const messages: Message[] = [];
  for (let each = framing.next(); each !== undefined; each = framing.next()) messages.push(each);
  return messages;
}

export function message(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)),
  );
  const head = Buffer.alloc(5);
  head.write(type, 0, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export function errorMessage(code: string, text: string, severity: 'ERROR' | 'FATAL' = 'ERROR'): Buffer {
  return message('E', `S${severity}`, `V${severity}`, `C${code}`, `M${text}`, Buffer.from([0]));
}

/** Returns an error of the database in the form in which drivers throw it. */
export function errorIn(failed: Message): Error & { readonly code: string } {
  const fields = new Map(
    bodyOf(failed)
      .toString('utf8')
      .split('\0')
      .map((field) => [field.charAt(0), field.slice(1)]),
  );
  return Object.assign(new Error(fields.get('M') ?? ''), { code: fields.get('C') ?? 'XX000' });
}

/** The status as in ReadyForQuery: I for idle, T for in a transaction, E for in a failed transaction. */
export type SessionStatus = 'I' | 'T' | 'E';

export function readyMessage(status: SessionStatus): Buffer {
  return message('Z', Buffer.from(status, 'latin1'));
}

/** Returns the texts at the beginning of the body, each of which ends with a zero byte. */
export function textsIn(body: Buffer, count: number): readonly string[] {
  const texts: string[] = [];
  let from = 0;
  while (texts.length < count) {
    const end = body.indexOf(0, from);
    if (end < 0) throw new BrokenFrame('A string in a message is not terminated.');
    texts.push(body.toString('utf8', from, end));
    from = end + 1;
  }
  return texts;
}
