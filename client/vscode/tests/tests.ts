/** The code that the extension loads with the first file of access tests, because most windows have none. */
export { TestExplorer } from './explorer.ts';
