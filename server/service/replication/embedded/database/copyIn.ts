/**
 * `COPY … FROM STDIN`. PostgreSQL cannot wait for a client here, so it gets the statement and all rows at once, in the messages
 * of the protocol.
 */
import { message } from './messages.ts';

/** Whether it is such a statement, and nothing else. */
export function isCopyIn(sql: string): boolean {
  return /^(\s*(?:--[^\n]*\n\s*)*copy\s[^;]*?\bfrom\s+)stdin\b([^;]*);?\s*$/i.test(sql);
}

/** Bytes of one message with rows. */
const messageSize = 2 ** 20;

export function copyInMessages(sql: string, rows: Buffer): Buffer {
  const messages = [message('Q', sql)];
  for (let at = 0; at < rows.length; at += messageSize)
    messages.push(message('d', rows.subarray(at, at + messageSize)));
  return Buffer.concat([...messages, message('c')]);
}

/** Text ends with a line `\.` in old clients: it is a mark and no data. */
export function rowsIn(parts: readonly Buffer[]): Buffer {
  const whole = Buffer.concat(parts);
  const mark = /(?:^|\n)\\\.\r?\n?$/.exec(whole.toString('latin1', Math.max(0, whole.length - 8)));
  return mark === null ? whole : whole.subarray(0, whole.length - mark[0].replace(/^\n/, '').length);
}

/**
 * Makes a `COPY … FROM STDIN` fail that could not be seen before, such as one of several statements: it would wait for its rows.
 * PostgreSQL ignores the message otherwise.
 */
export function withoutRows(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, message('f', 'COPY FROM STDIN has to be a simple query of its own here')]);
}
