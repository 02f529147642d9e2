/** Large code that most commands do not need: it is loaded on demand. */
export { openApi } from '../api/api.ts';
export { checkUp } from '../health/checkup/checkup.ts';
export { scripts } from './completion/scripts.ts';
export { runSql } from './sql/runSql.ts';
