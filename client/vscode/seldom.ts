/** Commands that are seldom used: a bundle of their own, which has to be told the language of the editor, too. */
export { translateWith } from '../l10n.ts';
export { checkHealth } from './commands/checkHealth.ts';
export { createClientToken } from './commands/createClientToken.ts';
export { createSyncConfig } from './commands/createSyncConfig.ts';
export { copyDatabaseAddress, copyPsqlCommand, resetLocalDatabase } from './commands/database.ts';
export { generateClientSchema } from './commands/generateClientSchema.ts';
export { refreshSchema } from './commands/refreshSchema.ts';
export { reprocessTarget } from './commands/reprocess.ts';
export { showDeployed } from './commands/showDeployed.ts';
