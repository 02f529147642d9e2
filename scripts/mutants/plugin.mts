import { relative } from 'node:path';
import type { Plugin } from 'vitest/config';
import { root } from '../root.ts';
import type {} from './protocol.ts';

/** Applies the change. Vite reads configs once for each project, so `host.ts` stores the change in a global variable. */
export const mutants: Plugin = {
  name: 'headwater-mutants',
  enforce: 'pre',
  transform: (text, id) => changeText(id, text),
  // Modules are cached by their text on disk, so the changed text must be part of the key.
  configureVitest({ experimental_defineCacheKeyGenerator: addToKey }) {
    addToKey(({ id, sourceCode }) => changeText(id, sourceCode));
  },
};

function changeText(id: string, text: string): string | undefined {
  return globalThis.headwaterText?.(relative(root, id).replaceAll('\\', '/'), text);
}
