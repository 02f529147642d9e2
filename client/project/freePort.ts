/** Ports of this machine that nobody listens on. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The first free one; 0, for any port, if none is free. */
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

/** Returns the preferred ports, followed by those from the usual port on. */
export function portsToTry(preferred: readonly number[], usual: number): readonly number[] {
  return [...preferred, ...Array.from({ length: 10 }, (_, index) => usual + index)];
}
