/** Generates the files that are not committed, before all tests. */
export { generateFiles as setup } from '../../../scripts/generate.ts';
