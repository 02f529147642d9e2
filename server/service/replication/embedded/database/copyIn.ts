/**
 * Supports `COPY … FROM STDIN`. PostgreSQL cannot wait for a client here, so it gets the statement and all rows together, as
 * messages of the protocol.
 */
import { message } from './messages.ts';

/** Whether the SQL is a `COPY … FROM STDIN` and nothing else. */
export function isCopyIn(sql: string): boolean {
  return /^(\s*(?:--[^\n]*\n\s*)*copy\s[^;]*?\bfrom\s+)stdin\b([^;]*);?\s*$/i.test(sql);
}

/** The size of one message with rows, in bytes. */
const messageSize = 2 ** 20;

export function copyInMessages(sql: string, rows: Buffer): Buffer {
  const messages = [message('Q', sql)];
  for (let at = 0; at < rows.length; at += messageSize)
    messages.push(message('d', rows.subarray(at, at + messageSize)));
  return Buffer.concat([...messages, message('c')]);
}

/** Returns the rows. Old clients end text with a line `\.`, which is a mark and not data. */
export function rowsIn(parts: readonly Buffer[]): Buffer {
  const whole = Buffer.concat(parts);
  const mark = /(?:^|\n)\\\.\r?\n?$/.exec(whole.toString('latin1', Math.max(0, whole.length - 8)));
  return mark === null ? whole : whole.subarray(0, whole.length - mark[0].replace(/^\n/, '').length);
}

/**
 * Appends a message that makes an undetected `COPY … FROM STDIN` fail, such as one among several statements, because it would
 * wait for its rows. Otherwise, PostgreSQL ignores the message.
 */
export function withoutRows(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, message('f', 'COPY FROM STDIN must be a separate simple query here')]);
}
