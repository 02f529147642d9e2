/** The part of JSON-RPC 2.0 that MCP uses, with one message per line. */

export type Id = string | number;

type Message =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  /** A response from the client. It is ignored, because we never send requests. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'unreadable'; readonly id: Id | null; readonly error: RpcError };

export type Params = Readonly<Record<string, unknown>>;

interface RpcError {
  readonly code: number;
  readonly message: string;
}

/** https://www.jsonrpc.org/specification#error_object */
export const rpcCodes = {
  noJson: -32_700,
  noRequest: -32_600,
  noMethod: -32_601,
  wrongParams: -32_602,
  internal: -32_603,
  /** An error code of MCP itself. */
  noResource: -32_002,
} as const;

export function readMessage(line: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refuse(null, rpcCodes.noJson, 'This line is not JSON. A message is one line of JSON.');
  }
  if (Array.isArray(value))
    return refuse(null, rpcCodes.noRequest, 'Send each message on a line of its own, not as a list.');
  if (typeof value !== 'object' || value === null)
    return refuse(null, rpcCodes.noRequest, 'A message must be a JSON object.');
  const { id, method, params = {}, jsonrpc } = value as Params;
  const known = typeof id === 'string' || typeof id === 'number' ? id : undefined;
  if (jsonrpc !== '2.0') return refuse(known ?? null, rpcCodes.noRequest, '`jsonrpc` must be "2.0".');
  if (method === undefined) return { kind: 'answer' };
  if (typeof method !== 'string')
    return refuse(known ?? null, rpcCodes.noRequest, '`method` must be a string.');
  if (id !== undefined && known === undefined)
    return refuse(null, rpcCodes.noRequest, '`id` must be a string or a number.');
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    return known === undefined
      ? { kind: 'answer' }
      : refuse(known, rpcCodes.wrongParams, '`params` must be an object.');
  const call = { method, params: params as Params };
  return known === undefined ? { kind: 'notification', ...call } : { kind: 'request', id: known, ...call };
}

function refuse(id: Id | null, code: number, message: string): Message {
  return { kind: 'unreadable', id, error: { code, message } };
}

export function resultText(id: Id, result: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

export function errorText(id: Id | null, { code, message }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

/** The error of a method, whose code and message are the only details that the caller sees. */
export class RpcFailure extends Error {
  readonly code: number;

  constructor(code: number, sentence: string) {
    super(sentence);
    this.name = 'RpcFailure';
    this.code = code;
  }
}
