import { relative } from 'node:path';
import { mergeConfig, type Plugin } from 'vitest/config';
import unitTests from '../../vitest.config.mts';
import { root } from '../root.ts';
import type {} from './protocol.ts';

/** Applies the change. Vite reads this file once for each project, so `host.ts` stores the change in a global variable. */
const mutants: Plugin = {
  name: 'headwater-mutants',
  enforce: 'pre',
  transform(text, id) {
    return globalThis.headwaterText?.(relative(root, id).replaceAll('\\', '/'), text);
  },
};

export default mergeConfig(unitTests, {
  plugins: [mutants],
  test: { root, setupFiles: 'scripts/mutants/setup.ts' },
});
