/** The table of commands that reach a service. */
import type { Services } from '../services.ts';
import { checkHealth } from './checkHealth.ts';
import { compareWithDeployed } from './compareWithDeployed.ts';
import { createClientToken } from './createClientToken.ts';
import { deploy } from './deploy.ts';
import { explainRow } from './explainRow.ts';
import type { Table } from './index.ts';
import { refreshSchema } from './refreshSchema.ts';
import { reprocess } from './reprocess.ts';
import { selectTarget } from './selectTarget.ts';
import { showDeployed } from './showDeployed.ts';
import { startLocalService } from './startLocalService.ts';
import { validateOnService } from './validateOnService.ts';

export const serviceTable: Table<Services> = {
  'headwater.deploy': deploy,
  'headwater.validateOnService': validateOnService,
  'headwater.compareWithDeployed': compareWithDeployed,
  'headwater.showDeployedConfig': showDeployed,
  'headwater.reprocess': reprocess,
  'headwater.checkHealth': checkHealth,
  'headwater.startLocalService': startLocalService,
  'headwater.stopLocalService': ({ local }) => local?.stop(),
  'headwater.restartLocalService': ({ local }) => local?.restart(),
  'headwater.selectTarget': selectTarget,
  'headwater.createClientToken': createClientToken,
  'headwater.explainRow': explainRow,
  'headwater.refreshSchema': refreshSchema,
};
