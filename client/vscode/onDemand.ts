/**
 * The code that the extension loads with the first service that it reaches, because it is large, and most windows never need
 * it.
 */
export { openToolClient } from '../agents/client.ts';
export { openApi } from '../api/api.ts';
export { checkUp } from '../health/checkup/checkup.ts';
export { sourceThrough } from '../health/checkup/throughService.ts';
export { translateWith } from '../l10n.ts';
export { isConfined, repositoryAround } from '../project/confinement.ts';
export { describeOrigin, localConfig, namesSource, offersSource } from '../project/localConfig.ts';
export { originVariable } from '../project/serviceConfig.ts';
export { readCloudLink, targetFromCli, targetFromService } from './targets/fromFiles.ts';
