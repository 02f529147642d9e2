/** Carries connections inside of the channel between two processes, so that a process can answer clients of the other one. */
import { Duplex } from 'node:stream';

export interface TunnelProcedures {
  /** @param address the address of the client at the other end */
  tunnelOpen(id: number, address: string): void;
  /** Resolves when there is room for more. */
  tunnelData(id: number, bytes: Uint8Array): Promise<void>;
  tunnelEnd(id: number): void;
  /** Reports that the sender no longer reads. */
  tunnelClose(id: number): void;
}

interface TunnelLine {
  ask(name: 'tunnelData', id: number, bytes: Uint8Array): Promise<void>;
  tell(name: 'tunnelEnd' | 'tunnelClose', id: number): void;
  tell(name: 'tunnelOpen', id: number, address: string): void;
}

interface Tunnels {
  readonly procedures: TunnelProcedures;
  /** Opens a tunnel to the other process. */
  open(address: string): Tunnel;
  /** Called when the other process has ended. */
  end(): void;
}

export interface Tunnel {
  readonly id: number;
  readonly socket: Duplex;
}

interface End {
  readonly socket: Duplex;
  /** Whether the other side has sent everything. */
  isComplete: boolean;
  /** Whether the other side no longer reads. */
  isDeaf: boolean;
  /** Tells the other side that there is room again. */
  goOn: (() => void) | undefined;
}

/**
 * Opens the tunnels to the other process.
 *
 * @param line returns the line, which is opened later because it needs the procedures of the tunnels
 * @param take gets each tunnel that the other process opens, and the address of the client
 */
export function openTunnels(
  line: () => TunnelLine,
  take: (tunnel: Tunnel, address: string) => void,
): Tunnels {
  const ends = new Map<number, End>();
  let last = 0;
  const make = (id: number): Tunnel => {
    const end: End = { socket: socketOf(id, () => end), isComplete: false, isDeaf: false, goOn: undefined };
    ends.set(id, end);
    // The user of the socket learns of errors because the socket closes.
    end.socket.on('error', () => {});
    return { id, socket: end.socket };
  };
  const socketOf = (id: number, end: () => End): Duplex =>
    new Duplex({
      read: () => {
        end().goOn?.();
        end().goOn = undefined;
      },
      write: (chunk: Buffer, _, done) => {
        if (end().isDeaf) return done();
        line()
          .ask('tunnelData', id, chunk)
          .then(() => done(), done);
      },
      final: (done) => {
        line().tell('tunnelEnd', id);
        done();
      },
      destroy: (error, done) => {
        ends.delete(id);
        end().goOn?.();
        line().tell('tunnelClose', id);
        done(error);
      },
    });
  return {
    open: (address) => {
      last += 1;
      line().tell('tunnelOpen', last, address);
      return make(last);
    },
    end: () => {
      for (const { socket } of ends.values()) socket.destroy();
    },
    procedures: {
      tunnelOpen: (id, address) => take(make(id), address),
      tunnelData: async (id, bytes) => {
        const end = ends.get(id);
        if (end === undefined) return;
        const { buffer, byteOffset, byteLength } = bytes;
        if (end.socket.push(Buffer.from(buffer, byteOffset, byteLength))) return;
        await new Promise<void>((resolve) => {
          end.goOn = resolve;
        });
      },
      tunnelEnd: (id) => {
        const end = ends.get(id);
        if (end === undefined) return;
        end.isComplete = true;
        end.socket.push(null);
      },
      tunnelClose: (id) => {
        const end = ends.get(id);
        // Earlier data may not have been read yet, so the socket stays open.
        if (end?.isComplete === true) end.isDeaf = true;
        else end?.socket.destroy();
      },
    },
  };
}
