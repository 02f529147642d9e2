/** Before all tests: the modules that are not committed. */
export { generateModules as setup } from '../../../scripts/generate.ts';
