/** Finds a free port, for programs that must know their port before they start. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * The range of the ports. Systems use the ports from 32,768 on for outgoing connections, which could take a port while its program
 * is being restarted.
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
