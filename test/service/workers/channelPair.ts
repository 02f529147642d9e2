/** Connects two simulated processes. Messages are copied, and arrive in order in a later turn of the event loop. */
import type { ProcessChannel } from '../../../server/service/workers/channel.ts';

export function channelPair(): readonly [ProcessChannel, ProcessChannel] {
  const one = end();
  const other = end();
  return [
    { send: other.receive, listen: one.listen },
    { send: one.receive, listen: other.listen },
  ];
}

function end() {
  const waiting: unknown[] = [];
  let listener: ((message: unknown) => void) | undefined;
  const deliver = (): void => {
    if (listener !== undefined) for (const message of waiting.splice(0)) listener(message);
  };
  return {
    receive: (message: unknown): void => {
      waiting.push(structuredClone(message));
      setImmediate(deliver);
    },
    listen: (added: (message: unknown) => void): void => {
      listener = added;
      setImmediate(deliver);
    },
  };
}
