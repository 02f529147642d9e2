/** Free ports of this machine. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns the first free port. If none is free, returns 0, which means any port. */
export async function firstFreePort(ports: readonly number[]): Promise<number> {
  for (const port of ports) if (await isFreePort(port)) return port;
  return 0;
}

export async function isFreePort(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

/** Returns the preferred ports, followed by the ports from the usual one on. */
export function portsToTry(preferred: readonly number[], usual: number): readonly number[] {
  return [...preferred, ...Array.from({ length: 10 }, (_, index) => usual + index)];
}
