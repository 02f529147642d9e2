/** The table of commands that reach a service. */
import type { Services } from '../services.ts';
import { checkHealth } from './checkHealth.ts';
import { compareWithDeployed } from './compareWithDeployed.ts';
import { createClientToken } from './createClientToken.ts';
import { copyDatabaseAddress, copyPsqlCommand, openScript, resetLocalDatabase } from './database.ts';
import { deployDocument } from './deploy.ts';
import { explainRowHere } from './explainRow.ts';
import type { Table } from './index.ts';
import { refreshSchema } from './refreshSchema.ts';
import { reprocessTarget } from './reprocess.ts';
import { giveToken, selectTarget } from './selectTarget.ts';
import { showDeployed } from './showDeployed.ts';
import { showMenu } from './showMenu.ts';
import { startLocalService } from './startLocalService.ts';
import { validateOnService } from './validateOnService.ts';

export const serviceTable: Table<Services> = {
  'headwater.deploy': deployDocument,
  'headwater.validateOnService': validateOnService,
  'headwater.compareWithDeployed': compareWithDeployed,
  'headwater.showDeployedConfig': showDeployed,
  'headwater.reprocess': reprocessTarget,
  'headwater.checkHealth': checkHealth,
  'headwater.startLocalService': startLocalService,
  'headwater.stopLocalService': ({ local }) => local?.stop(),
  'headwater.restartLocalService': ({ local }) => local?.restart(),
  'headwater.selectTarget': selectTarget,
  'headwater.createClientToken': createClientToken,
  'headwater.explainRow': explainRowHere,
  'headwater.refreshSchema': refreshSchema,
  'headwater.resetLocalDatabase': resetLocalDatabase,
  'headwater.copyDatabaseAddress': copyDatabaseAddress,
  'headwater.copyPsqlCommand': copyPsqlCommand,
  'headwater.giveToken': giveToken,
  'headwater.showMenu': showMenu,
  'headwater.openScript': openScript,
};
