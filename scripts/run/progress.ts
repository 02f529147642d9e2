/** Reports of a running suite, from the reporter in its process to `npm test`. */
import type { Tally } from './tally.ts';

export type Progress =
  /** How many files there are, before the first one starts. */
  | { readonly kind: 'files'; readonly count: number }
  | { readonly kind: 'started'; readonly file: string }
  /** A test has ended. */
  | { readonly kind: 'test'; readonly file: string }
  | { readonly kind: 'ended'; readonly file: string; readonly tally: Tally; readonly seconds: number }
  /** A failure as people read it, with what its test printed. */
  | { readonly kind: 'failure'; readonly text: string };

/** Sends progress to the parent process, if it listens. */
export function sendProgress(progress: Progress): void {
  if (process.connected) process.send?.(progress);
}

export function isProgress(message: unknown): message is Progress {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
