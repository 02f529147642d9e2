/** Connections between two processes inside of their channel: a client of one is answered by the other. */
import { Duplex } from 'node:stream';

export interface TunnelProcedures {
  /** @param address of the client that is at the end of it */
  tunnelOpen(id: number, address: string): void;
  /** Answered when there is room for more. */
  tunnelData(id: number, bytes: Uint8Array): Promise<void>;
  tunnelEnd(id: number): void;
  /** The sender reads no more. */
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
  /** The other process is gone. */
  end(): void;
}

export interface Tunnel {
  readonly id: number;
  readonly socket: Duplex;
}

interface End {
  readonly socket: Duplex;
  /** The other side has said all. */
  isComplete: boolean;
  /** The other side takes no more. */
  isDeaf: boolean;
  /** Answers the other side when there is room again. */
  goOn: (() => void) | undefined;
}

/**
 * @param line opened after this, because it answers to the procedures
 * @param take gets each tunnel that the other process opens, with the address of the client
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
    // The user of the socket learns of errors by its end.
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
        // Earlier data may still have to be read.
        if (end?.isComplete === true) end.isDeaf = true;
        else end?.socket.destroy();
      },
    },
  };
}
