/** A conversation with one client, from its first line to its last. */
import type { Judge } from './judge.ts';
import { methods } from './methods.ts';
import { errorText, type Id, type Params, RpcFailure, readMessage, resultText, rpcCodes } from './rpc.ts';

/** Lines in both directions. */
export interface Channel {
  /** `undefined` is a line that was too long. Ends when the writer closes it. */
  readonly lines: AsyncIterable<string | undefined>;
  /** Resolves when it is on its way. */
  readonly send: (line: string) => Promise<void>;
}

/**
 * The most calls that run at once. Further calls are not read before one of them has ended. A client that asks faster than we
 * answer waits in its own pipe, and takes no memory of ours.
 */
const mostCalls = 8;

/** Milliseconds. The longest tool waits five minutes for a deployment. */
const longestCall = 330_000;

/** Resolves when the client is gone, and all that it asked is answered. */
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
      // A client that has cancelled a call waits for no answer.
      if (call.signal.reason !== cancelled) await channel.send(text);
    } catch {
      // It does not listen any more; its last line ends the session.
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

/** The text of an answer. */
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
      message: `There is no method ${JSON.stringify(method.slice(0, 100))} here.`,
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
  error: { code: rpcCodes.noRequest, message: 'A line was too long, and was not read. Send less at once.' },
} as const;
