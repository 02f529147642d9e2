import type { Finding } from '../diagnostics/diagnostics.ts';

/** The first marker that a version control system has left. Text of YAML is indented, so none stands in a block. */
export function conflictIn(text: string): Finding | undefined {
  const start = text.search(/^(?:<{7}|>{7}) /m);
  return start < 0 ? undefined : { code: 'conflict-marker', span: { start, end: start + 7 }, args: {} };
}
