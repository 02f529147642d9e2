/** Progress on standard error: one changing line on a terminal, otherwise a line for each step. */
import type { World } from './world.ts';

export interface Progress {
  /** Shows a text, with a bar for `done` and `of`. */
  readonly show: (text: string, part?: { readonly done: number; readonly of: number }) => void;
  /** Ends the progress line. Called before other output. */
  readonly end: () => void;
}

export const silentProgress: Progress = { show: () => {}, end: () => {} };

/** The width of the bar, in characters. */
const barWidth = 24;

export function progressOn({ complain, scribble, terminal }: World): Progress {
  let last = '';
  let isOpen = false;
  return {
    show(text, part) {
      if (terminal.errors) {
        scribble(`\r\u001b[2K${part === undefined ? text : `${bar(part)} ${text}`}`);
        isOpen = true;
      } else if (text !== last) complain(text);
      last = text;
    },
    end() {
      if (isOpen) scribble('\r\u001b[2K');
      isOpen = false;
    },
  };
}

function bar({ done, of }: { readonly done: number; readonly of: number }): string {
  const filled = of <= 0 ? 0 : Math.min(barWidth, Math.round((barWidth * done) / of));
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
}
