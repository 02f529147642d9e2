/** What is large and most commands need nothing of: loaded with the first question to a service or a database. */
export { openApi } from '../api/api.ts';
export { runSql } from './sql/database.ts';
