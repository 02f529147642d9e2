/** The sync config that was chosen among several for this folder. */
import { namesBesideData } from '../../../server/shared/files.ts';
import type { World } from '../world.ts';
import { keep, readKept } from './dataFolder.ts';

const name = namesBesideData.choice;

export async function readChoice(world: World): Promise<string | undefined> {
  const { syncConfig } = ((await readKept(name, world)) ?? {}) as { readonly syncConfig?: unknown };
  return typeof syncConfig === 'string' ? syncConfig : undefined;
}

export function rememberChoice(syncConfig: string, world: World): Promise<void> {
  return keep(name, { syncConfig }, world);
}
