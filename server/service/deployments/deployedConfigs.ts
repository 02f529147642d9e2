/**
 * The configs that users have deployed, read from the records of deployments. A record is a place where rows are stored, so records
 * and configs differ: another config may replace the text of a record, and the same config may be copied again for a new one.
 *
 * 1. Each deploy of another config has a number. It is the id of the record that the deploy created: its own record, or the one
 *    that keeps the text that it replaced. Numbers increase, but may skip some.
 * 2. The number of a config never changes, because records are kept, and new ones have greater ids.
 * 3. A new copy of the same config, for example after a reset, is the same config with the same number.
 */
import { type Deployment, isServing } from '../storage/deployment.ts';

export interface DeployedConfig {
  readonly number: number;
  readonly content: string;
  /** The time of the deploy, in milliseconds since 1970. */
  readonly at: number;
  /** The user who deployed it, as the client named them. */
  readonly by: string | undefined;
  /** The record of its latest copy. */
  readonly record: Deployment;
  readonly state: 'active' | 'pending' | 'earlier';
  /** Whether clients have ever received its rows. */
  readonly hasServed: boolean;
}

/** A text of a record. */
interface RecordText extends DeployedConfig {
  /** Whether the text was copied for a new record, so that the record may copy a known config again. */
  readonly isCopied: boolean;
  readonly isCurrent: boolean;
}

export interface DeployedConfigs {
  /** Each deployed config once, oldest first. */
  readonly all: readonly DeployedConfig[];
  /** Returns the config of a record. A record that only keeps a former text has none. */
  readonly of: (record: Pick<Deployment, 'id'>) => DeployedConfig | undefined;
}

export function readDeployedConfigs(records: readonly Deployment[]): DeployedConfigs {
  const all: DeployedConfig[] = [];
  /** The indexes of the configs by their numbers, and by the numbers of their copies. */
  const byNumber = new Map<number, number>();
  const byRecord = new Map<number, number>();
  for (const { isCopied, isCurrent, ...config } of textsOf(records)) {
    const copied = isCopied ? findCopied(config, all) : undefined;
    const index = byNumber.get(config.number) ?? copied ?? all.length;
    const known = all[index];
    all[index] = known === undefined ? config : merge(known, config);
    byNumber.set(config.number, index);
    if (isCurrent) byRecord.set(config.record.id, index);
  }
  return { all, of: ({ id }) => all[byRecord.get(id) ?? -1] };
}

/** Returns the texts of all records in the order of their numbers. */
function textsOf(records: readonly Deployment[]): readonly RecordText[] {
  const byName = new Map<string, Deployment[]>();
  for (const record of records.toSorted((one, other) => one.id - other.id)) {
    const sameName = byName.get(record.deploymentName);
    if (sameName === undefined) byName.set(record.deploymentName, [record]);
    else sameName.push(record);
  }
  const beside = new Map([...byName.values()].flatMap(keyOfCopy));
  const texts = [...byName.values()].flatMap((sameName) => textsOfName(sameName, beside));
  return texts.toSorted((one, other) => one.number - other.number);
}

/** Returns the number of a record that was copied beside another one, with a key to find it by the text in its place. */
function keyOfCopy([copied, ...former]: readonly Deployment[]): readonly [string, number][] {
  if (copied?.base === undefined) return [];
  const { base, createdAt, content, id } = copied;
  return [[keyBeside(base, createdAt, content), former.at(-1)?.id ?? id]];
}

function keyBeside(base: number, createdAt: number, content: string): string {
  return `${base} ${createdAt} ${content}`;
}

/** @param sameName the record, and the records that keep its former texts, which have the same name and greater ids */
function textsOfName(
  [record, ...former]: readonly Deployment[],
  beside: ReadonlyMap<string, number>,
): readonly RecordText[] {
  if (record === undefined) return [];
  const { id, state } = record;
  const hasServed = isServing(state) || record.lastCheckpoint !== undefined;
  return [...former, record].map(({ content, createdAt: at, deployedBy: by }, index, all) => {
    const isCurrent = index === all.length - 1;
    const replaced = former[index - 1];
    const copied = replaced && beside.get(keyBeside(id, at, content));
    return {
      number: copied ?? replaced?.id ?? id,
      content,
      at,
      by,
      record,
      state:
        isCurrent && isServing(state)
          ? 'active'
          : isCurrent && state === 'processing'
            ? 'pending'
            : 'earlier',
      hasServed,
      isCopied: replaced === undefined || copied !== undefined,
      isCurrent,
    };
  });
}

/**
 * Returns the index of the config that a new record copies again: the previous config, or the one that served if the previous one
 * never became active. A deploy of the text that is active creates no record.
 */
function findCopied({ content }: DeployedConfig, configs: readonly DeployedConfig[]): number | undefined {
  const served = configs.findLastIndex(({ hasServed }) => hasServed);
  return [configs.length - 1, served].find((index) => configs[index]?.content === content);
}

function merge(known: DeployedConfig, { record, state, hasServed }: DeployedConfig): DeployedConfig {
  const isOld = known.state === 'active' || (known.state === 'pending' && state === 'earlier');
  return {
    ...known,
    hasServed: known.hasServed || hasServed,
    ...(isOld ? {} : { record, state }),
  };
}
