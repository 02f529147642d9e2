/** What the records of deployments tell, compared with what they were: for the timeline. */
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
    // A small one is copied and serves before anybody looks.
    return [describeBeginning(record, previousOf(record, after), meaningFor), ...changes(fresh, record)];
  });
}

function previousOf({ id }: Deployment, records: readonly Deployment[]): Deployment | undefined {
  return records.findLast((record) => record.id < id);
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

/** Of a deployment that goes on with another text, since all that it needs is stored. */
function describeReplacement(old: Deployment, record: Deployment, meaningFor: MeaningOf): readonly News[] {
  if (old.content === record.content) return [];
  const change = describeChange(meaningFor(old), meaningFor(record));
  // The copy beside it was reported when it began.
  if (JSON.stringify(old.storedTexts) !== JSON.stringify(record.storedTexts))
    return [
      { kind: 'deploy', slotName: record.slotName, message: 'Clients get what this sync config says.' },
    ];
  const message = `A sync config was deployed: ${change}. Nothing had to be copied.`;
  return [{ kind: 'deploy', slotName: record.slotName, message }];
}

/** As many names as a line can hold. */
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
  return old.whole === whole ? 'no stream is different' : 'other options, or another order of its streams';
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
      ? [{ kind: 'deploy', slotName, message: 'Clients get what this sync config says.' } as const]
      : []),
    ...(isNewError ? [{ kind: 'error', slotName, message: lastError.message } as const] : []),
  ];
}
