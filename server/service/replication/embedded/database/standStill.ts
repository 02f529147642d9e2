/**
 * Makes the same statements lead to the same rows: the clock stands still, and random values are the same each time. For a
 * process that does nothing else, and keeps no secret, because the database asks Node for both.
 */
import crypto from 'node:crypto';

/** 2025-01-01 00:00:00 UTC, in milliseconds. */
const moment = 1_735_689_600_000;

export function standStill(): void {
  Date.now = () => moment;
  const draw = openDrawing();
  crypto.randomFillSync = ((bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = draw();
    return bytes;
  }) as typeof crypto.randomFillSync;
}

/** Bytes by xorshift, from a number that is not 0. */
function openDrawing(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 11) & 0xff;
  };
}
