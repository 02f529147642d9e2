/** Makes room in a buffer that grows. */

const smallest = 64;

/** The bytes, or a copy of those in use that has room for more. */
export function withRoom(bytes: Buffer, used: number, more: number): Buffer {
  if (used + more <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, used + more, smallest));
  bytes.copy(larger, 0, 0, used);
  return larger;
}
