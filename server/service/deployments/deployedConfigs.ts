/**
 * The configs that users have deployed, read from the records of deployments. A record is a place where rows are stored, so records
 * and configs differ: another config may replace the text of a record, and the same config may be copied again for a new one.
 *
 * 1. Each deploy of another config has a number. It is the id of the record that the deploy created: its own record, or the one
 *    that keeps the text that it replaced. So numbers increase, and may skip some.
 * 2. The number of a config never changes, because records are kept, and new ones have greater ids.
 * 3. A new copy of the same config, for example after a reset, is the same config with the same number.
 */
import { type Deployment, isServing } from '../storage/deployment.ts';

export interface DeployedConfig {
  readonly number: number;
  readonly content: string;
  /** The time of the deploy, in milliseconds since 1970. */
  readonly at: number;
  /** The record of its latest copy. */
  readonly record: Deployment;
  readonly state: 'active' | 'pending' | 'earlier';
  /** Whether clients have ever received its rows. */
  readonly hasServed: boolean;
}

/** A text of a record. */
interface RecordText extends DeployedConfig {
  /** The text of a new record, unless the record got it from another record. */
  readonly isFirst: boolean;
  readonly isCurrent: boolean;
}

/** Returns each deployed config once, oldest first. */
export function deployedConfigs(records: readonly Deployment[]): readonly DeployedConfig[] {
  return readConfigs(records).configs;
}

/** Returns the deployed config of a record. A record that only keeps a former text has none. */
export function configOf(
  { id }: Pick<Deployment, 'id'>,
  records: readonly Deployment[],
): DeployedConfig | undefined {
  const { configs, numbers } = readConfigs(records);
  const number = numbers.get(id);
  return configs.find((config) => config.number === number);
}

interface Configs {
  readonly configs: readonly DeployedConfig[];
  /** The numbers of the current configs by the ids of the records. */
  readonly numbers: ReadonlyMap<number, number>;
}

function readConfigs(records: readonly Deployment[]): Configs {
  const configs: DeployedConfig[] = [];
  const numbers = new Map<number, number>();
  for (const text of textsOf(records)) {
    const { isFirst, isCurrent, ...config } = text;
    const at = configs.findLastIndex((each) => each.number === config.number);
    const index = at < 0 && isFirst ? findCopied(config, configs) : at;
    const known = configs[index];
    if (known === undefined) configs.push(config);
    else configs[index] = merge(known, config);
    if (isCurrent) numbers.set(config.record.id, (known ?? config).number);
  }
  return { configs, numbers };
}

/** Returns the texts of all records in the order of their numbers. */
function textsOf(records: readonly Deployment[]): readonly RecordText[] {
  const ofSlots = new Map<string, Deployment[]>();
  for (const record of records.toSorted((one, other) => one.id - other.id)) {
    const sameSlot = ofSlots.get(record.slotName);
    if (sameSlot === undefined) ofSlots.set(record.slotName, [record]);
    else sameSlot.push(record);
  }
  const texts = [...ofSlots.values()].flatMap((sameSlot) => textsOfSlot(sameSlot, ofSlots));
  return texts.toSorted((one, other) => one.number - other.number);
}

/** @param sameSlot the record, and the records that keep its former texts, which have the same slot and greater ids */
function textsOfSlot(
  [record, ...former]: readonly Deployment[],
  ofSlots: ReadonlyMap<string, readonly Deployment[]>,
): readonly RecordText[] {
  if (record === undefined) return [];
  const { id, state } = record;
  const hasServed = isServing(state) || record.lastCheckpoint !== undefined;
  return [...former, record].map(({ content, createdAt: at }, index, all) => {
    const isCurrent = index === all.length - 1;
    const replaced = former[index - 1];
    return {
      number: replaced === undefined ? id : (numberBeside({ id, content, at }, ofSlots) ?? replaced.id),
      content,
      at,
      record,
      state:
        isCurrent && isServing(state)
          ? 'active'
          : isCurrent && state === 'processing'
            ? 'pending'
            : 'earlier',
      hasServed,
      isFirst: index === 0,
      isCurrent,
    };
  });
}

/** Returns the number of a text that was copied beside this record, and whose rows are stored there now. */
function numberBeside(
  { id, content, at }: Pick<DeployedConfig, 'content' | 'at'> & Pick<Deployment, 'id'>,
  ofSlots: ReadonlyMap<string, readonly Deployment[]>,
): number | undefined {
  for (const [copied, ...former] of ofSlots.values())
    if (copied?.base === id && copied.createdAt === at && copied.content === content)
      return former.at(-1)?.id ?? copied.id;
  return undefined;
}

/**
 * Returns the index of the config that a new record copies again: the previous config, or the one that served if the previous one
 * never became active. A deploy of the text that is active creates no record.
 */
function findCopied({ content }: DeployedConfig, configs: readonly DeployedConfig[]): number {
  const served = configs.findLastIndex(({ hasServed }) => hasServed);
  return [configs.length - 1, served].find((index) => configs[index]?.content === content) ?? -1;
}

function merge(known: DeployedConfig, { record, state, hasServed }: DeployedConfig): DeployedConfig {
  const isOld = known.state === 'active' || (known.state === 'pending' && state === 'earlier');
  return {
    ...known,
    hasServed: known.hasServed || hasServed,
    ...(isOld ? {} : { record, state }),
  };
}
