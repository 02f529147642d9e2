/** Reads the deployed configs from the service. */
import {
  deployedConfigsPath,
  type ReportedConfig,
  readDeployedConfigs,
} from '../../api/reports/deployedConfigs.ts';
import type { Transport } from '../link/transport.ts';

/** Returns each deployed config once, newest first. */
export async function askDeployedConfigs(
  transport: Pick<Transport, 'call'>,
): Promise<readonly ReportedConfig[]> {
  return readDeployedConfigs(await transport.call('POST', deployedConfigsPath, {})) ?? [];
}
