import { mergeConfig } from 'vitest/config';
import liveTests from '../../vitest.live.config.mts';
import { root } from '../root.ts';
import { mutants } from './plugin.mts';

export default mergeConfig(liveTests, {
  plugins: [mutants],
  test: { root, setupFiles: ['scripts/mutants/setup.ts'] },
});
