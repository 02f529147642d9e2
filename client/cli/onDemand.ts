/** What is large and most commands need nothing of: loaded by those that do. */
export { openApi } from '../api/api.ts';
export { checkUp } from '../health/checkup/checkup.ts';
export { scripts } from './completion/scripts.ts';
export { runSql } from './sql/database.ts';
