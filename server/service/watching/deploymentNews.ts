/** Derives the events of the timeline from changes in the records of deployments. */
import type { Meanings } from '../deployments/syncConfigs.ts';
import type { Deployment } from '../storage/deployment.ts';
import type { TimelineEvent } from './eventLog.ts';

type News = Omit<TimelineEvent, 'id' | 'at'>;

export type MeaningOf = (deployment: Deployment) => Meanings;

export function deploymentNews(
  before: readonly Deployment[],
  after: readonly Deployment[],
  meaningFor: MeaningOf,
): readonly News[] {
  const known = new Map(before.map((record) => [record.id, record]));
  return after.flatMap((record) => {
    const old = known.get(record.id);
    if (old !== undefined) return [...describeReplacement(old, record, meaningFor), ...changes(old, record)];
    if (isArchive(record, after)) return [];
    const previous = previousOf(record, after);
    const replaced = previous && (known.get(previous.id) ?? previous);
    // A small deployment may already be active when its record is read for the first time.
    return [describeBeginning(record, replaced, meaningFor), ...changes(fresh, record)];
  });
}

/**
 * Whether the record only keeps a former config. When a deployment takes over another config in place, its own record gets the
 * new config, and the former config becomes a new record with the same slot.
 */
function isArchive({ id, slotName }: Deployment, records: readonly Deployment[]): boolean {
  return records.some((other) => other.slotName === slotName && other.id < id);
}

/** Returns the previous deployment. It is the latest by time, because a deployment keeps its id when its config is replaced. */
function previousOf({ id }: Deployment, records: readonly Deployment[]): Deployment | undefined {
  return records
    .filter((record) => record.id < id && !isArchive(record, records))
    .reduce<Deployment | undefined>(
      (latest, record) => (latest === undefined || record.createdAt >= latest.createdAt ? record : latest),
      undefined,
    );
}

function describeBeginning(
  record: Deployment,
  previous: Deployment | undefined,
  meaningFor: MeaningOf,
): News {
  const { slotName, reason, content } = record;
  if (previous?.content === content)
    return {
      kind: 'restart',
      slotName,
      message: reason ?? 'Everything is copied again, with the same sync config.',
    };
  return {
    kind: 'deploy',
    slotName,
    message: `A sync config was deployed: ${describeChange(previous && meaningFor(previous), meaningFor(record))}.`,
  };
}

/** Describes a deployment that continues with another config, because everything that the config needs is stored. */
function describeReplacement(old: Deployment, record: Deployment, meaningFor: MeaningOf): readonly News[] {
  if (old.content === record.content) return [];
  const change = describeChange(meaningFor(old), meaningFor(record));
  // The copy beside the deployment was reported when it began.
  if (JSON.stringify(old.storedTexts) !== JSON.stringify(record.storedTexts))
    return [
      { kind: 'deploy', slotName: record.slotName, message: 'Clients now get the rows of this sync config.' },
    ];
  const message = `A sync config was deployed: ${change}. Nothing had to be copied.`;
  return [{ kind: 'deploy', slotName: record.slotName, message }];
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

function changes(old: Progress, now: Deployment): readonly News[] {
  const { slotName } = now;
  const { lastError } = now;
  const isNewError = lastError !== undefined && lastError.at !== old.lastError?.at;
  return [
    ...(now.snapshotDone && !old.snapshotDone
      ? [{ kind: 'copy', slotName, message: 'All rows are copied.' } as const]
      : []),
    ...(now.state === 'active' && old.state === 'processing'
      ? [{ kind: 'deploy', slotName, message: 'Clients now get the rows of this sync config.' } as const]
      : []),
    ...(isNewError ? [{ kind: 'error', slotName, message: lastError.message } as const] : []),
  ];
}
