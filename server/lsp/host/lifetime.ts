/**
 * The lifetime of a connection, including refused and cancelled requests. Without this file, the protocol library would answer
 * every message that has a handler at any time, and would compute requests that were cancelled while they waited.
 *
 *     new ── initialize ──► running ── shutdown ──► shut down
 */
import {
  type Connection,
  type ConnectionOptions,
  ErrorCodes,
  LSPErrorCodes,
  type Message,
  ResponseError,
  type ResponseMessage,
} from 'vscode-languageserver';

export type Phase = 'new' | 'running' | 'shut down';

export type Verdict = 'take' | 'drop' | keyof typeof refusals;

const refusals = {
  'not initialized': {
    code: ErrorCodes.ServerNotInitialized,
    sentence: 'The server is not initialized yet: send `initialize` first.',
  },
  'initialized before': {
    code: ErrorCodes.InvalidRequest,
    sentence: 'The server is initialized already.',
  },
  'shut down': {
    code: ErrorCodes.InvalidRequest,
    sentence: 'The server was shut down, so only `exit` is accepted.',
  },
} as const;

interface MessageName {
  readonly kind: 'request' | 'notification';
  readonly method: string;
}

export function nextPhase(
  phase: Phase,
  { kind, method }: MessageName,
): { readonly phase: Phase; readonly verdict: Verdict } {
  if (kind === 'notification')
    return { phase, verdict: phase === 'running' || method === 'exit' ? 'take' : 'drop' };
  switch (phase) {
    case 'new':
      return method === 'initialize'
        ? { phase: 'running', verdict: 'take' }
        : { phase, verdict: 'not initialized' };
    case 'running':
      if (method === 'initialize') return { phase, verdict: 'initialized before' };
      return { phase: method === 'shutdown' ? 'shut down' : phase, verdict: 'take' };
    case 'shut down':
      return { phase, verdict: 'shut down' };
  }
}

/** The method that replaces the method of a refused request. Its parameter is the reason. */
const refusedRequest = 'headwater/refused';

/** Returns the options for one connection, which must also call {@link answerRefused}. */
export function lifetimeOptions(): ConnectionOptions {
  let phase: Phase = 'new';
  return {
    connectionStrategy: {
      // The library fills in the id.
      cancelUndispatched: (): ResponseMessage => ({ jsonrpc: '2.0', id: null, error: cancelled }),
    },
    messageStrategy: {
      handleMessage(message, handle) {
        const sent = readName(message);
        if (sent === undefined) return handle(message);
        const { phase: after, verdict } = nextPhase(phase, sent);
        phase = after;
        if (verdict === 'drop') return undefined;
        if (verdict === 'take') return handle(message);
        return handle({ ...message, method: refusedRequest, params: { reason: verdict } } as Message);
      },
    },
  };
}

const cancelled = { code: LSPErrorCodes.RequestCancelled, message: 'The request was cancelled.' };

/** Returns undefined if the message is a response to a request of the server. */
function readName(message: Message): MessageName | undefined {
  const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown };
  if (typeof method !== 'string') return undefined;
  return { kind: typeof id === 'string' || typeof id === 'number' ? 'request' : 'notification', method };
}

export function answerRefused(connection: Connection): void {
  connection.onRequest(refusedRequest, ({ reason }: { readonly reason?: unknown } = {}) => {
    const { code, sentence } = refusals[reason as keyof typeof refusals] ?? refusals['not initialized'];
    return new ResponseError(code, sentence);
  });
}
