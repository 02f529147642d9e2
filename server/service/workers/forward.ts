/** Forwards requests that a worker does not answer itself, over a tunnel to the process that does. */
import { type IncomingMessage, request as openRequest } from 'node:http';
import { ServiceError } from '../ground/errors.ts';
import { createSemaphore } from '../ground/semaphore.ts';
import type { Clock } from '../ground/world.ts';
import { discardRest, mostRefusedBodies } from '../http/body.ts';
import type { Forward } from '../http/dispatch.ts';
import { writeError } from '../http/reply.ts';
import type { Tunnel } from './tunnels.ts';

interface ForwardParts {
  /** @param admit called if the other process has found the token or the session to be valid */
  readonly openTunnel: (address: string, admit: () => void) => Tunnel;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** Headers that concern only one connection, so they are not forwarded. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function openForward({ openTunnel, clock }: ForwardParts): Forward {
  const discarding = createSemaphore({ running: mostRefusedBodies, waiting: 0 });
  return (request, response, admit) => {
    const { socket } = openTunnel(request.socket.remoteAddress ?? '', admit);
    const outgoing = openRequest({
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: { ...passedHeaders(request), connection: 'close' },
      setHost: false,
      createConnection: () => socket,
    });
    request.on('error', () => {});
    response.on('error', () => {});
    const fail = (): void => {
      request.unpipe(outgoing);
      if (response.headersSent) return void response.destroy();
      writeError(response, new ServiceError('SVC_S2003'), {});
      discardRest(request, discarding, clock);
    };
    outgoing.on('error', () => {
      if (!response.writableEnded) fail();
    });
    outgoing.on('response', (answer) => {
      answer.on('error', fail);
      response.writeHead(answer.statusCode ?? 500, answer.statusMessage, passedHeaders(answer));
      response.flushHeaders();
      answer.pipe(response);
      // The request may have been answered before it had arrived completely.
      answer.once('end', () => {
        request.unpipe(outgoing);
        discardRest(request, discarding, clock);
      });
    });
    response.once('close', () => outgoing.destroy());
    request.pipe(outgoing);
  };
}

function passedHeaders(message: IncomingMessage): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {};
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    if (ofConnection.has(name)) continue;
    const [first = '', ...others] = values;
    passed[name] = others.length === 0 ? first : values;
  }
  return passed;
}
