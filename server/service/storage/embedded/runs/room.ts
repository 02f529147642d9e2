/** Makes room in a buffer that grows. */

const smallest = 64;

/** Returns the same bytes if there is room, or a larger copy of the used ones. */
export function withRoom(bytes: Buffer, used: number, more: number): Buffer {
  if (used + more <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, used + more, smallest));
  bytes.copy(larger, 0, 0, used);
  return larger;
}
