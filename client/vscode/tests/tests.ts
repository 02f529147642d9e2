/** What the extension loads with the first file of access tests: most windows have none. */
export { openTestExplorer } from './explorer.ts';
