/** The questions that a temporary database answers about the scripts of a project. They are one bundle, which is loaded on demand. */
export { openSeedDatabase } from '../embedded/seeds/seedRows.ts';
export { rehearse } from './rehearse.ts';
export { openTablesOfScripts } from './tablesOfScripts.ts';
