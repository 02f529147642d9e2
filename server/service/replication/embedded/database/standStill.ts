/**
 * Makes statements deterministic: the clock stands still, and random values are the same each time. This works because the
 * database asks Node for both. Use it only in a process that does nothing else and has no secrets.
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

/** Returns a function that generates bytes by xorshift. The state must not be 0. */
function openDrawing(): () => number {
  let state = 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 11) & 0xff;
  };
}
