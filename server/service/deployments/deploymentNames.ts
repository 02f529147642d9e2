/**
 * Names of deployments, such as `powersync_3_a1b2`. All names of a storage have the same 4 hex digits. A storage that was
 * deleted and created again has other digits. So a storage can recognise names in the source that it has used but has no record of.
 */
import type { Deployment } from '../storage/deployment.ts';

/** @param hex the digits for a storage without any deployment */
export function deploymentNaming(
  prefix: string,
  hex: string,
  records: readonly Pick<Deployment, 'deploymentName'>[],
): (id: number) => string {
  const own = partsOf(records.at(-1)?.deploymentName)?.hex ?? hex;
  return (id) => `${prefix}${id}_${own}`;
}

interface StrayName {
  readonly name: string;
  /**
   * Whether the deployment is newer than all known deployments, because an older storage was restored. If not, its number was skipped
   * after such a restore.
   */
  readonly isLater: boolean;
}

export function strayNames(
  names: readonly string[],
  records: readonly Pick<Deployment, 'deploymentName'>[],
): readonly StrayName[] {
  const known = records.map(({ deploymentName }) => partsOf(deploymentName));
  return names.flatMap((name) => {
    const parts = partsOf(name);
    if (parts === undefined) return [];
    const { family, number } = parts;
    const numbers = known.flatMap((each) => (each?.family === family ? [each.number] : []));
    const isStray = numbers.length > 0 && !numbers.includes(number);
    return isStray ? [{ name, isLater: number > Math.max(...numbers) }] : [];
  });
}

/** Splits a name. If a prefix ends with a digit, the numbers begin with that digit, but later ones are still greater. */
function partsOf(deploymentName = '') {
  const [, prefix, number, hex] = /^(.*?)(\d+)_([0-9a-f]{4})$/.exec(deploymentName) ?? [];
  return hex === undefined ? undefined : { family: `${prefix}_${hex}`, number: Number(number), hex };
}
