import type { Finding } from '../diagnostics/diagnostics.ts';

/**
 * The first conflict marker of a version control system. Text in YAML is indented, so no marker is part of a
 * block.
 */
export function conflictIn(text: string): Finding | undefined {
  // A text without any of them, as nearly all are, is looked through much faster than line by line.
  if (!markers.some((marker) => text.includes(marker))) return undefined;
  const start = text.search(/^(?:<{7}|>{7}) /m);
  return start < 0 ? undefined : { code: 'conflict-marker', span: { start, end: start + 7 }, args: {} };
}

const markers = ['<<<<<<< ', '>>>>>>> '];
