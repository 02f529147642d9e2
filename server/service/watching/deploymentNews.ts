/** Derives the events of the timeline from changes in the records of deployments. */
import {
  type DeployedConfig,
  type DeployedConfigs,
  readDeployedConfigs,
} from '../deployments/deployedConfigs.ts';
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
  const told = new Set(readDeployedConfigs(before).all.map(({ number }) => number));
  const configs = readDeployedConfigs(after);
  const deploys = configs.all.flatMap((config, index, all) =>
    told.has(config.number)
      ? []
      : [describeDeploy(config, { previous: all[index - 1], configs, meaningFor })],
  );
  const known = new Map(before.map((record) => [record.id, record]));
  const others = after.flatMap((record): readonly News[] => {
    const config = configs.of(record);
    // The record only keeps a former text.
    if (config === undefined) return [];
    const old = known.get(record.id);
    if (old === undefined) return [...describeCopy(record, config), ...changes(fresh, record, config)];
    // The record has got the config that was copied beside it.
    const isTaken = old.content !== record.content && !isInPlace(config, configs);
    return [...(isTaken ? [describeActivation(config)] : []), ...changes(old, record, config)];
  });
  return [...deploys, ...others];
}

interface DeployFacts {
  readonly previous: DeployedConfig | undefined;
  readonly configs: DeployedConfigs;
  readonly meaningFor: MeaningOf;
}

function describeDeploy(config: DeployedConfig, { previous, configs, meaningFor }: DeployFacts): News {
  const change = describeChange(previous && meaningFor(previous), meaningFor(config));
  const isStored = config.state !== 'pending' && isInPlace(config, configs);
  const copied = isStored ? ' Nothing had to be copied.' : '';
  const by = config.by === undefined ? '' : ` by ${config.by}`;
  return {
    kind: 'deploy',
    ...namesOf(config),
    message: `Config ${config.number} was deployed${by}: ${change}.${copied}`,
  };
}

/** Whether the config replaced the text of a deployment that already stored its rows. */
function isInPlace({ number }: DeployedConfig, configs: DeployedConfigs): boolean {
  return configs.of({ id: number }) === undefined;
}

/** Describes a new record that copies a known config again. */
function describeCopy({ id, reason }: Deployment, config: DeployedConfig): readonly News[] {
  if (config.number === id) return [];
  const message = reason ?? `Config ${config.number} is copied again.`;
  return [{ kind: 'restart', ...namesOf(config), message }];
}

function describeActivation(config: DeployedConfig): News {
  return {
    kind: 'deploy',
    ...namesOf(config),
    message: `Clients now get the rows of config ${config.number}.`,
  };
}

function namesOf({ number, record }: DeployedConfig): Pick<News, 'deploymentName' | 'configNumber'> {
  return { deploymentName: record.deploymentName, configNumber: number };
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
  const names = { ...namesOf(config), deploymentName: now.deploymentName };
  const isNewError = lastError !== undefined && lastError.at !== old.lastError?.at;
  return [
    ...(now.snapshotDone && !old.snapshotDone
      ? [{ kind: 'copy', ...names, message: 'All rows are copied.' } as const]
      : []),
    ...(now.state === 'active' && old.state === 'processing' ? [describeActivation(config)] : []),
    ...(isNewError ? [{ kind: 'error', ...names, message: lastError.message } as const] : []),
  ];
}
