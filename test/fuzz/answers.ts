/** Judges an answer over HTTP to arbitrary bytes. */
import { serviceErrorCodes } from '../../server/service/ground/errors.ts';
import type { Outcome } from './target.ts';

/**
 * Limits in bytes: the length of an answer that is not a stream, and how much longer than its request any answer may be if
 * the client has no token.
 */
const mostAnswer = 64 * 1024;
const mostWithoutToken = 8 * 1024;

export interface Exchange {
  readonly bytes: Buffer;
  /** `quiet` means that we closed the connection. */
  readonly end: 'closed' | 'quiet' | 'late';
  /** The number of bytes that were sent. */
  readonly sent: number;
  /** Whether the sent bytes contain a valid token. */
  readonly hasToken: boolean;
}

export function judgeAnswer({ bytes, end, sent, hasToken }: Exchange): Outcome {
  if (bytes.length === 0)
    return end === 'late' ? { feature: 'late', failure: 'there is no answer' } : { feature: 'nothing' };
  const text = bytes.toString('latin1');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(status))
    return { feature: 'garbage', failure: `no answer of HTTP: ${text.slice(0, 200)}` };
  if (status >= 500) return { feature: `${status}`, failure: `the status is ${status}: ${text.slice(-500)}` };
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const isStream = /transfer-encoding: chunked/i.test(head);
  if (!isStream && bytes.length > mostAnswer)
    return { feature: 'large', failure: `the answer has ${bytes.length} bytes` };
  if (!hasToken && bytes.length > sent + mostWithoutToken)
    return { feature: 'amplified', failure: `${bytes.length} bytes for ${sent} without a token` };
  if (status < 400) return { feature: `${status} ${isStream}` };
  const plain = (isStream ? withoutChunks(body) : body).replace(/HTTP\/1\.1 .*$/s, '');
  // A refusal by HTTP itself and an answer to HEAD have no body. The answer to OPTIONS is the same as that of the
  // reference.
  if (plain === '' || plain === 'Invalid Preflight Request') return { feature: `${status} ${plain}` };
  return judgeError(status, plain);
}

function withoutChunks(body: string): string {
  let text = '';
  for (let rest = body; rest !== ''; ) {
    const [head = '', length = ''] = /^([\da-f]+)\r\n/i.exec(rest) ?? [];
    const size = Number.parseInt(length, 16);
    if (!(size > 0)) break;
    text += rest.slice(head.length, head.length + size);
    rest = rest.slice(head.length + size + 2);
  }
  return text;
}

function judgeError(status: number, plain: string): Outcome {
  let error: { readonly code?: string; readonly status?: number; readonly details?: string } | undefined;
  try {
    error = (JSON.parse(plain) as { readonly error?: typeof error }).error;
  } catch {
    return { feature: 'not JSON', failure: `an error that is not JSON: ${plain.slice(0, 200)}` };
  }
  const isCatalogued = (serviceErrorCodes as readonly (string | undefined)[]).includes(
    error?.code?.replace(/^\w+?_/, 'SVC_'),
  );
  if (!isCatalogued || error?.status !== status)
    return { feature: 'no code', failure: `an error without its code: ${plain.slice(0, 200)}` };
  const what = (error.details ?? '').replaceAll(/`[^`]*`|"[^"]*"|\d+/g, '…').slice(0, 60);
  return { feature: `${status} ${error.code} ${what}` };
}
