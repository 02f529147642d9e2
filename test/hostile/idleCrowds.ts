/** Idle sockets of further processes: one process may open only so many files, and one address has only so many ports. */
import { platform } from 'node:os';
import { endOf, last, startBeside } from './beside.ts';

export interface IdleCrowd {
  readonly port: number;
  readonly sockets: number;
  /** Where they come from. */
  readonly address: string;
  /** Sent at once, and nothing after that. */
  readonly bytes: string;
}

interface IdleCrowds {
  readonly port: number;
  readonly sockets: number;
  /** Sockets of a process. */
  readonly each: number;
  readonly bytes: string;
}

/** Each comes from an address of its own where the system has many of this machine: elsewhere all come from one. */
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
