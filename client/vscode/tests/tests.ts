/** The code that the extension loads with the first file of access tests, since most windows have none. */
export { openTestExplorer } from './explorer.ts';
