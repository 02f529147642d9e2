/** Progress reports of a running suite, which the reporter in its process sends to `npm test`. */
import type { Tally } from './tally.ts';

export type Progress =
  /** The number of files, reported before the first one starts. */
  | { readonly kind: 'files'; readonly count: number }
  | { readonly kind: 'started'; readonly file: string }
  /** A test that has ended. */
  | { readonly kind: 'test'; readonly file: string }
  | { readonly kind: 'ended'; readonly file: string; readonly tally: Tally; readonly seconds: number }
  /** A failure as text for users, with the output of its test. */
  | { readonly kind: 'failure'; readonly text: string };

/** Sends progress to the parent process, if it listens. */
export function sendProgress(progress: Progress): void {
  if (process.connected) process.send?.(progress);
}

export function isProgress(message: unknown): message is Progress {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
