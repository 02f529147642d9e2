/** Opens idle sockets in further processes, because the files of a process and the ports of an address are limited. */
import { platform } from 'node:os';
import { endOf, last, startBeside } from './beside.ts';

export interface IdleCrowd {
  readonly port: number;
  readonly sockets: number;
  /** The local address that the sockets connect from. */
  readonly address: string;
  /** The bytes that a socket sends when it opens. It sends nothing after them. */
  readonly bytes: string;
}

interface IdleCrowds {
  readonly port: number;
  readonly sockets: number;
  /** The number of sockets in each process. */
  readonly each: number;
  readonly bytes: string;
}

/** Starts the processes. On Linux each connects from its own loopback address; on other systems all connect from the same one. */
export function startIdleCrowds(
  { port, sockets, each, bytes }: IdleCrowds,
  count: () => void,
): { readonly end: () => Promise<void> } {
  const children = Array.from({ length: Math.ceil(sockets / each) }, (_, index) => {
    const crowd: IdleCrowd = {
      port,
      bytes,
      sockets: Math.min(each, sockets - index * each),
      address: platform() === 'linux' ? `127.0.0.${index + 3}` : '127.0.0.1',
    };
    const child = startBeside('./idleCrowd.ts', crowd, last);
    child.on('message', ({ opened }: { readonly opened: number }) => {
      for (let n = 0; n < opened; n += 1) count();
    });
    return child;
  });
  return { end: async () => void (await Promise.all(children.map(endOf))) };
}
