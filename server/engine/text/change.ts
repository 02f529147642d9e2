/** The range in which two versions of a text differ. The text before and after it is the same. */
interface TextChange {
  readonly start: number;
  /** The end of the range in the old text. */
  readonly endBefore: number;
  /** The end of the range in the new text. */
  readonly endNow: number;
}

/** The number of characters that are compared at once, which is many times faster than comparing them one by one. */
const block = 4_096;

export function changeBetween(before: string, now: string): TextChange {
  const shorter = Math.min(before.length, now.length);
  const start = lengthOfSharedStart(before, now, shorter);
  const shared = lengthOfSharedEnd(before, now, shorter - start);
  return { start, endBefore: before.length - shared, endNow: now.length - shared };
}

function lengthOfSharedStart(before: string, now: string, most: number): number {
  let at = 0;
  while (at + block <= most && before.slice(at, at + block) === now.slice(at, at + block)) at += block;
  while (at < most && before.charCodeAt(at) === now.charCodeAt(at)) at += 1;
  return at;
}

function lengthOfSharedEnd(before: string, now: string, most: number): number {
  const [ofBefore, ofNow] = [before.length, now.length];
  let length = 0;
  while (
    length + block <= most &&
    before.slice(ofBefore - length - block, ofBefore - length) ===
      now.slice(ofNow - length - block, ofNow - length)
  )
    length += block;
  while (length < most && before.charCodeAt(ofBefore - length - 1) === now.charCodeAt(ofNow - length - 1))
    length += 1;
  return length;
}
