import type { Finding } from '../diagnostics/diagnostics.ts';

/**
 * Finds the first conflict marker of a version control system. Text inside YAML blocks is indented, so a marker is never part of a
 * block.
 */
export function conflictIn(text: string): Finding | undefined {
  // Searching the entire text is much faster than searching line by line, and nearly all texts contain no marker.
  if (!markers.some((marker) => text.includes(marker))) return undefined;
  const start = text.search(/^(?:<{7}|>{7}) /m);
  return start < 0 ? undefined : { code: 'conflict-marker', span: { start, end: start + 7 }, args: {} };
}

const markers = ['<<<<<<< ', '>>>>>>> '];
