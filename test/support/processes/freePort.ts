/** A port that nobody listens on, for what must know its port before it starts. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below those that systems give to connections, from 32,768 on: one of them could take it while what has it is started again.
 */
const range = [15_000, 32_000] as const;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...range);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
