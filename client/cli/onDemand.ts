/** Large code that is loaded on demand, because most commands do not need it. */
export { openApi } from '../api/api.ts';
export { checkUp } from '../health/checkup/checkup.ts';
export { scripts } from './completion/scripts.ts';
export { runSql } from './sql/runSql.ts';
