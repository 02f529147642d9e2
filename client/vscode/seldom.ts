/** The bundle of seldom used commands and their screens. It also needs the language of the editor. */
export { translateWith } from '../l10n.ts';
export { checkHealth } from './commands/checkHealth.ts';
export { compareWithDeployed } from './commands/compareWithDeployed.ts';
export { controlCopy } from './commands/copies/controlCopy.ts';
export { reprocessStream, reprocessTarget } from './commands/copies/reprocess.ts';
export { createClientToken } from './commands/createClientToken.ts';
export { createSyncConfig } from './commands/createSyncConfig.ts';
export { copyDatabaseAddress, copyPsqlCommand, resetLocalDatabase } from './commands/database.ts';
export { explainMissingRows, explainRowHere } from './commands/explainRow.ts';
export { generateClientSchema } from './commands/generateClientSchema.ts';
export { previewAsUser } from './commands/previewAsUser.ts';
export { refreshSchema } from './commands/refreshSchema.ts';
export { showDeployed } from './commands/showDeployed.ts';
export { explanationLinks, explanationText } from './views/explanations.ts';
export { previewedText } from './views/previews.ts';
