/** Returns the tables that a sync config reads, for checks of the source before the config is deployed. */
import { tablesOf } from '../../engine/plan/evaluate/evaluate.ts';
import type { TablePattern } from '../../engine/plan/plan.ts';
import { openSyncConfigs } from './syncConfigs.ts';

/** Returns a sentence if the config cannot be used. */
export function tablesReadBy(content: string, defaultSchema: string): readonly TablePattern[] | string {
  const config = openSyncConfigs(defaultSchema).read(content);
  return config.valid ? tablesOf(config.plans) : 'The sync config has errors, so its tables are unknown.';
}
