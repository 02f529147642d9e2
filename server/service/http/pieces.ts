/** Limits the pieces of a body, which are chunks, or the results of individual reads. */
import type { IncomingMessage } from 'node:http';

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The first pieces may have any size. Beyond that number, the body must have this many bytes for each piece. */
export const pieceBudget = { pieces: 256, bytesPerPiece: 64 } as const;

export function isWithinPieceBudget(pieces: number, bytes: number): boolean {
  return pieces <= pieceBudget.pieces + bytes / pieceBudget.bytesPerPiece;
}

/**
 * Limits the pieces of a body. Node limits only the unread bytes of a body, but it keeps hundreds of bytes for each piece, and a
 * chunk may contain a single byte.
 *
 * @param allow gets the number of pieces and of bytes so far; once it returns false, nothing more is kept
 */
export function limitPieces(
  request: IncomingMessage,
  allow: (pieces: number, bytes: number) => boolean,
): void {
  const push = request.push.bind(request);
  let pieces = 0;
  let bytes = 0;
  let isOver = false;
  request.push = (piece: Buffer | null, encoding) => {
    if (piece !== null && !isOver) {
      pieces += 1;
      bytes += piece.length;
      isOver = !allow(pieces, bytes);
    }
    return !isOver && push(piece, encoding);
  };
}
