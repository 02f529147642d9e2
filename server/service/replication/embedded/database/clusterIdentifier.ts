/**
 * The identifier by which PostgreSQL distinguishes clusters. `initdb` creates a random one for each cluster, and clients can read
 * it (`pg_control_system()`), so every copy of a cluster needs a new one.
 */

const controlFile = 'global/pg_control';
const walFile = /^pg_wal\/[0-9A-F]{24}$/;

/**
 * The offset of the checksum in `ControlFileData` of PostgreSQL 18 (`catalog/pg_control.h`), in bytes. The identifier is at the
 * beginning of that structure.
 */
const checksumOffset = 292;

/** The offset of `xlp_sysid` in the header of a segment (`access/xlog_internal.h`), in bytes. */
const segmentOffset = 24;

/**
 * Returns an identifier like that of `initdb`: the seconds, followed by bits that distinguish clusters of the same second.
 *
 * @param now in milliseconds
 * @param random four bytes
 */
export function newIdentifier(now: number, random: Uint8Array): bigint {
  const low = Buffer.from(random).readUInt32LE();
  return (BigInt(Math.floor(now / 1000)) << 32n) | BigInt(low);
}

/** Returns the content of a file of the cluster with this identifier. Most files contain no identifier. */
export function withIdentifier(path: string, content: Uint8Array, identifier: bigint): Uint8Array {
  if (path === controlFile) {
    const control = Buffer.from(content);
    control.writeBigUInt64LE(identifier, 0);
    control.writeUInt32LE(crc32c(control.subarray(0, checksumOffset)), checksumOffset);
    return control;
  }
  if (walFile.test(path)) {
    const segment = Buffer.from(content);
    segment.writeBigUInt64LE(identifier, segmentOffset);
    return segment;
  }
  return content;
}

/** Computes a checksum in the same way as PostgreSQL: Castagnoli's polynomial, reflected. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
