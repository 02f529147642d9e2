import { mergeConfig } from 'vitest/config';
import unitTests from '../../vitest.config.mts';
import { root } from '../root.ts';
import { mutants } from './plugin.mts';

export default mergeConfig(unitTests, {
  plugins: [mutants],
  test: { root, setupFiles: 'scripts/mutants/setup.ts' },
});
