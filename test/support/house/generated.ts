/** Before all tests: the files that are not committed. */
export { generateFiles as setup } from '../../../scripts/generate.ts';
