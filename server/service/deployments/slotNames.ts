/**
 * Names of replication slots, such as `powersync_3_a1b2`. All slots of a storage have the same 4 hex digits. A storage that was
 * deleted and created again has other digits. So a storage can recognise slots that it created but has no record of.
 */
import type { Deployment } from '../storage/deployment.ts';

/** @param hex the digits for a storage without any deployment */
export function slotNaming(
  prefix: string,
  hex: string,
  records: readonly Pick<Deployment, 'slotName'>[],
): (id: number) => string {
  const own = partsOf(records.at(-1)?.slotName)?.hex ?? hex;
  return (id) => `${prefix}${id}_${own}`;
}

interface StraySlot {
  readonly name: string;
  /**
   * Whether the slot is newer than all known deployments, because an older storage was restored. If not, its number was skipped
   * after such a restore.
   */
  readonly isLater: boolean;
}

export function straySlots(
  slots: readonly string[],
  records: readonly Pick<Deployment, 'slotName'>[],
): readonly StraySlot[] {
  const known = records.map(({ slotName }) => partsOf(slotName));
  return slots.flatMap((name) => {
    const parts = partsOf(name);
    if (parts === undefined) return [];
    const { family, number } = parts;
    const numbers = known.flatMap((each) => (each?.family === family ? [each.number] : []));
    const isStray = numbers.length > 0 && !numbers.includes(number);
    return isStray ? [{ name, isLater: number > Math.max(...numbers) }] : [];
  });
}

/** Splits a name. If a prefix ends with a digit, the numbers begin with that digit, but later ones are still greater. */
function partsOf(slotName = '') {
  const [, prefix, number, hex] = /^(.*?)(\d+)_([0-9a-f]{4})$/.exec(slotName) ?? [];
  return hex === undefined ? undefined : { family: `${prefix}_${hex}`, number: Number(number), hex };
}
