/** A conversation with one client, from its first line to its last. */
import type { Judge } from './judge.ts';
import { methods } from './methods.ts';
import { errorText, type Id, type Params, RpcFailure, readMessage, resultText, rpcCodes } from './rpc.ts';

/** The lines in both directions. */
export interface Channel {
  /** The received lines, where `undefined` is a line that was too long. Ends when the client closes its side. */
  readonly lines: AsyncIterable<string | undefined>;
  /** Sends a line. Resolves when the line has been handed over. */
  readonly send: (line: string) => Promise<void>;
}

/**
 * The maximum number of calls that run at once. Further calls are read only after one of these has ended, so the requests of a
 * fast client wait in its own pipe instead of in our memory.
 */
const mostCalls = 8;

/** The timeout of a call in milliseconds. The slowest tool waits five minutes for a deployment. */
const longestCall = 330_000;

/** Serves one client. Resolves when the client has disconnected and all of its requests are answered. */
export async function serveAgents(channel: Channel, judge: Judge, end: AbortSignal): Promise<void> {
  const calls = new Map<Id, AbortController>();
  let running = 0;
  let notice = (): void => {};
  const untilOneEnds = (): Promise<void> =>
    new Promise((resolve) => {
      notice = resolve;
    });

  async function answer(id: Id, method: string, params: Params): Promise<void> {
    const call = new AbortController();
    calls.set(id, call);
    const timer = setTimeout(() => call.abort(tooSlow), longestCall);
    try {
      const text = await ask(id, method, params, judge, call.signal);
      // A client that has cancelled a call does not wait for an answer.
      if (call.signal.reason !== cancelled) await channel.send(text);
    } catch {
      // The client no longer reads answers. The session ends with its last line.
    } finally {
      clearTimeout(timer);
      calls.delete(id);
      running -= 1;
      notice();
    }
  }

  const stop = (): void => {
    for (const call of calls.values()) call.abort();
  };
  end.addEventListener('abort', stop);
  for await (const line of channel.lines) {
    if (end.aborted) break;
    if (line?.trim() === '') continue;
    const message = line === undefined ? tooLong : readMessage(line);
    if (message.kind === 'unreadable')
      await channel.send(errorText(message.id, message.error)).catch(() => {});
    if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      calls.get(message.params.requestId as Id)?.abort(cancelled);
    if (message.kind !== 'request') continue;
    running += 1;
    void answer(message.id, message.method, message.params);
    if (running >= mostCalls) await untilOneEnds();
  }
  while (running > 0) await untilOneEnds();
  end.removeEventListener('abort', stop);
}

const cancelled = 'cancelled';
const tooSlow = 'too slow';

/** Runs a request, and returns its answer as a line of text. */
async function ask(
  id: Id,
  method: string,
  params: Params,
  judge: Judge,
  signal: AbortSignal,
): Promise<string> {
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (run === undefined)
    return errorText(id, {
      code: rpcCodes.noMethod,
      message: `There is no method ${JSON.stringify(method.slice(0, 100))}.`,
    });
  try {
    return resultText(id, await run(params, judge, signal));
  } catch (error) {
    if (error instanceof RpcFailure) return errorText(id, error);
    const message = error instanceof Error ? error.message : String(error);
    return errorText(id, { code: rpcCodes.internal, message: judge.withoutSecrets(message) });
  }
}

const tooLong = {
  kind: 'unreadable',
  id: null,
  error: {
    code: rpcCodes.noRequest,
    message: 'The line was too long and was not read. Send smaller messages.',
  },
} as const;
