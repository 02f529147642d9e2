/** Derives the events of the timeline from changes in the records of deployments. */
import { configOf, type DeployedConfig, deployedConfigs } from '../deployments/deployedConfigs.ts';
import type { Meanings } from '../deployments/syncConfigs.ts';
import type { Deployment } from '../storage/deployment.ts';
import type { TimelineEvent } from './eventLog.ts';

type News = Omit<TimelineEvent, 'id' | 'at'>;

export type MeaningOf = (deployment: Pick<Deployment, 'content'>) => Meanings;

export function deploymentNews(
  before: readonly Deployment[],
  after: readonly Deployment[],
  meaningFor: MeaningOf,
): readonly News[] {
  const told = new Set(deployedConfigs(before).map(({ number }) => number));
  const deploys = deployedConfigs(after).flatMap((config, index, all) =>
    told.has(config.number) ? [] : [describeDeploy(config, { previous: all[index - 1], after, meaningFor })],
  );
  const known = new Map(before.map((record) => [record.id, record]));
  const others = after.flatMap((record): readonly News[] => {
    const config = configOf(record, after);
    // The record only keeps a former text.
    if (config === undefined) return [];
    const old = known.get(record.id);
    const begun =
      old === undefined ? describeCopy(record, config) : describeReplacement(old, record, config, after);
    return [...begun, ...changes(old ?? fresh, record, config)];
  });
  return [...deploys, ...others];
}

interface DeployFacts {
  readonly previous: DeployedConfig | undefined;
  readonly after: readonly Deployment[];
  readonly meaningFor: MeaningOf;
}

function describeDeploy(config: DeployedConfig, { previous, after, meaningFor }: DeployFacts): News {
  const change = describeChange(previous && meaningFor(previous), meaningFor(config));
  const isStored = config.state !== 'pending' && isInPlace(config, after);
  const copied = isStored ? ' Nothing had to be copied.' : '';
  return {
    kind: 'deploy',
    ...namesOf(config),
    message: `Config ${config.number} was deployed: ${change}.${copied}`,
  };
}

/** Whether the config replaced the text of a deployment that already stored its rows. */
function isInPlace({ number }: DeployedConfig, records: readonly Deployment[]): boolean {
  return configOf({ id: number }, records) === undefined;
}

/** Describes a new record that copies a known config again. */
function describeCopy({ id, reason }: Deployment, config: DeployedConfig): readonly News[] {
  if (config.number === id) return [];
  const message = reason ?? `Config ${config.number} is copied again.`;
  return [{ kind: 'restart', ...namesOf(config), message }];
}

/** Describes a deployment that has got the config that was copied beside it. */
function describeReplacement(
  old: Deployment,
  record: Deployment,
  config: DeployedConfig,
  after: readonly Deployment[],
): readonly News[] {
  return old.content === record.content || isInPlace(config, after) ? [] : [describeActivation(config)];
}

function describeActivation(config: DeployedConfig): News {
  return {
    kind: 'deploy',
    ...namesOf(config),
    message: `Clients now get the rows of config ${config.number}.`,
  };
}

function namesOf({ number, record }: DeployedConfig): Pick<News, 'slotName' | 'configNumber'> {
  return { slotName: record.slotName, configNumber: number };
}

/** The maximum number of names, so that they fit into a line. */
const mostNames = 5;

function describeChange(old: Meanings | undefined, { streams: after, whole }: Meanings): string {
  const names = [...after.keys()];
  if (old === undefined) return `the first one, with ${listOf('stream', names)}`;
  const before = old.streams;
  const added = names.filter((name) => !before.has(name));
  const changed = names.filter((name) => before.has(name) && before.get(name) !== after.get(name));
  const removed = [...before.keys()].filter((name) => !after.has(name));
  const parts = [
    ...(added.length > 0 ? [`new ${listOf('stream', added)}`] : []),
    ...(changed.length > 0 ? [`changed ${listOf('stream', changed)}`] : []),
    ...(removed.length > 0 ? [`removed ${listOf('stream', removed)}`] : []),
  ];
  if (parts.length > 0) return parts.join('; ');
  return old.whole === whole
    ? 'no stream has changed'
    : 'different options, or a different order of its streams';
}

function listOf(noun: string, names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(', ');
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${noun}${names.length === 1 ? '' : 's'} ${shown}${more}`;
}

type Progress = Pick<Deployment, 'state' | 'snapshotDone' | 'lastError'>;

const fresh: Progress = { state: 'processing', snapshotDone: false };

function changes(old: Progress, now: Deployment, config: DeployedConfig): readonly News[] {
  const { lastError } = now;
  const names = { ...namesOf(config), slotName: now.slotName };
  const isNewError = lastError !== undefined && lastError.at !== old.lastError?.at;
  return [
    ...(now.snapshotDone && !old.snapshotDone
      ? [{ kind: 'copy', ...names, message: 'All rows are copied.' } as const]
      : []),
    ...(now.state === 'active' && old.state === 'processing' ? [describeActivation(config)] : []),
    ...(isNewError ? [{ kind: 'error', ...names, message: lastError.message } as const] : []),
  ];
}
