/** A server in a process of its own that only writes: what sockets and the system cost without anything of ours. */
import { fork } from 'node:child_process';

/** The lines for each client. */
export interface RawLines {
  /** Bytes that come first. */
  readonly size: number;
  readonly end: string;
}

export interface RawServer {
  readonly port: number;
  readonly pid: number;
  readonly send: (lines: RawLines) => void;
  readonly stop: () => void;
}

/** The request of its clients, and its answer. */
export const greeting = { request: 'hello\n', answer: 'welcome' } as const;

export async function startRawServer(): Promise<RawServer> {
  const server = fork(new URL('./rawWrites.ts', import.meta.url), {
    execArgv: ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'],
  });
  const port = await new Promise<number>((resolve) => {
    server.once('message', (message) => resolve((message as { readonly port: number }).port));
  });
  return {
    port,
    pid: server.pid as number,
    send: (lines) => void server.send(lines),
    stop: () => server.disconnect(),
  };
}
