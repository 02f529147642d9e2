/**
 * The life of a deployment, as two tables. They contain everything that may happen; nothing else changes a record.
 *
 *     deploy ──► processing ──first checkpoint──► active ─backlog lost─► errored
 *                    │                               │                     │
 *                    └──a newer one is deployed──► stopped ◄──a newer one is active, or its data is outdated
 *                                                    └──data deleted──► terminated
 *
 * If a deployment already stores everything that a new config text needs, the new text replaces the deployment's text and
 * nothing is copied. If the new text has another meaning, clients that know the former one must connect again.
 *
 * If a deployment stores only a part, the missing part is copied beside it, with the backlog of that deployment, for a pending
 * deployment whose base it is. After the copy, the new text replaces the base's text in the same way, and the pending deployment
 * ends. If the base ends earlier, or the pending data cannot be copied beside it, everything is copied separately instead.
 *
 * A deployment becomes active with its first checkpoint that is not older than the data of the clients, because clients only
 * move forward.
 *
 * To go back, an admin deploys earlier content again: the records of all deployments are kept.
 */
import type { ServiceErrorCode } from '../ground/errors.ts';
import { firstPosition } from '../ground/logPosition.ts';
import {
  type Deployment,
  type DeploymentChange,
  type DeploymentError,
  type DeploymentState,
  isServing,
  type Pace,
  type StoredText,
  servingOf,
  storedTextsOf,
} from '../storage/deployment.ts';
import type { Coverage } from './syncConfigs.ts';

/** A request to deploy or reprocess. */
export type DeploymentRequest =
  /** `rowsPerSecond`: the maximum rate of the copy that the request may begin. */
  | {
      readonly kind: 'deploy';
      readonly content: string;
      /** The user, as the client named them. */
      readonly by?: string;
      readonly rowsPerSecond?: number;
    }
  /** The service has started, and the service config names this sync config. */
  | { readonly kind: 'configured'; readonly content: string }
  /** `streams`: reprocess only these; absent: all. */
  | { readonly kind: 'reprocess'; readonly streams?: readonly string[] };

/** An event of one deployment. */
export type Occurrence =
  /** The deployment has a new checkpoint. */
  | { readonly kind: 'published'; readonly id: number }
  /** The deployment has a new checkpoint, and must become active without further waiting. */
  | { readonly kind: 'activated'; readonly id: number }
  /** The base stores all parts of the deployment, as of the checkpoint that is being published. */
  | {
      readonly kind: 'copied beside';
      readonly id: number;
      /** The config texts of the base during the copy. */
      readonly before: readonly StoredText[];
      readonly storedTexts: readonly StoredText[];
    }
  /** The deployment cannot be copied beside its base. */
  | { readonly kind: 'not beside'; readonly id: number }
  /** Stored parts that the content does not need should be deleted. */
  | {
      readonly kind: 'forgets';
      readonly id: number;
      /** The record at the time of the decision. */
      readonly before: Pick<Deployment, 'content'> & { readonly storedTexts: readonly StoredText[] };
      readonly storedTexts: readonly StoredText[];
    }
  /** Nothing remains of the parts that are no longer stored. */
  | { readonly kind: 'has no rest'; readonly id: number }
  /** `restart`: whether a new copy can help. */
  | {
      readonly kind: 'backlog lost';
      readonly id: number;
      readonly error: DeploymentError;
      readonly restart: boolean;
    }
  /** An admin has reset the source, so it contains different rows. */
  | { readonly kind: 'source reset'; readonly id: number }
  /** The storage is older than the data of clients, because a backup of it was restored. */
  | { readonly kind: 'storage outdated'; readonly id: number; readonly error: DeploymentError }
  | { readonly kind: 'failed'; readonly id: number; readonly error: DeploymentError }
  /** The deployment's stored data cannot be trusted. */
  | { readonly kind: 'damaged'; readonly id: number; readonly error: DeploymentError }
  | { readonly kind: 'recovered'; readonly id: number }
  /** The deployment's data and its backlog have been deleted. */
  | { readonly kind: 'cleared'; readonly id: number }
  /** All data should be deleted. */
  | { readonly kind: 'torn down'; readonly id: number };

/** Facts for new records. They are determined before the decision, so that the decision can be repeated. */
export interface NewNames {
  readonly at: number;
  readonly deploymentNameOf: (id: number) => string;
  readonly storageVersionOf: (content: string) => number;
  readonly coverageOf: (content: string, deployment: Deployment) => Coverage;
  /** Whether streams of the serving deployment can be copied again while the others stay. */
  readonly canCopyAnew: (deployment: Deployment, streams: readonly string[]) => boolean;
}

export type Decision =
  | { readonly changes: readonly DeploymentChange[]; readonly refusal?: never }
  | { readonly refusal: ServiceErrorCode; readonly changes?: never };

/** The serving and the pending deployment, at most one of each; `serving` is active or errored. */
interface Situation {
  readonly serving?: Deployment;
  readonly pending?: Deployment;
}

export function situationOf(records: readonly Deployment[]): Situation {
  const serving = servingOf(records);
  const pending = records.findLast(({ state }) => state === 'processing');
  return { ...(serving && { serving }), ...(pending && { pending }) };
}

export function decideRequest(
  records: readonly Deployment[],
  request: DeploymentRequest,
  naming: NewNames,
): Decision {
  const situation = situationOf(records);
  const { serving, pending } = situation;
  const move = requests[requestCase(situation, request, naming)][nameOf(situation)];
  switch (move) {
    case 'busy':
      return { refusal: 'SVC_S4106' };
    case 'none active':
      return { refusal: 'SVC_S4104' };
    case 'take over the pending one':
      return {
        changes: pending ? [...takeover(pending, request, naming), ...paceChange(pending, request)] : [],
      };
    case 'take over the serving one':
      return {
        changes: [...givenUp(pending), ...(serving ? takeover(serving, request, naming) : [])],
      };
    case 'begin':
    case 'begin instead':
      return {
        changes: [...givenUp(pending), insertionFor(situation, request, naming)],
      };
    case 'begin beside':
    case 'begin beside instead': {
      const anew = request.kind === 'reprocess' ? request.streams : undefined;
      const added = { ...(serving && { base: serving.id }), ...(anew && { anew }) };
      return {
        changes: [...givenUp(pending), { ...insertionFor(situation, request, naming), ...added }],
      };
    }
  }
}

export function decideOccurrence(
  records: readonly Deployment[],
  occurrence: Occurrence,
  naming: NewNames,
): readonly DeploymentChange[] {
  const record = records.find(({ id }) => id === occurrence.id);
  if (record === undefined) return [];
  const { serving, pending } = situationOf(records);
  const others = records.filter(({ id, state }) => id !== record.id && isServing(state));
  const steps = occurrences[occurrenceCase(occurrence, record, serving)][record.state];
  return steps.flatMap((step): readonly DeploymentChange[] => {
    switch (step) {
      case 'stop the others':
        return others.map(({ id }) => toState(id, 'stopped'));
      case 'begin anew':
        if (pending?.base === record.id && pending.id !== record.id)
          return [{ kind: 'alone', id: pending.id }];
        return pending === undefined || pending.id === record.id ? [again(record, occurrence, naming)] : [];
      case 'begin all anew':
        return [
          ...(pending && pending.id !== record.id ? givenUp(pending) : []),
          again(pending ?? record, occurrence, naming),
        ];
      case 'take the place of its base':
        return occurrence.kind === 'copied beside' ? inPlaceOfBase(record, serving, occurrence) : [];
      case 'go on alone':
        return record.base === undefined
          ? []
          : [
              { kind: 'alone', id: record.id },
              { kind: 'rest', id: record.base, hasRest: true },
            ];
      case 'forget what is not needed':
        return pending === undefined && occurrence.kind === 'forgets' && isAsBefore(record, occurrence)
          ? [
              { kind: 'stored texts', id: record.id, storedTexts: occurrence.storedTexts },
              { kind: 'rest', id: record.id, hasRest: true },
            ]
          : [];
      case 'have no rest':
        return [{ kind: 'rest', id: record.id, hasRest: false }];
      case 'skip numbers':
        return [{ kind: 'skip numbers' }];
      case 'note the error':
        return 'error' in occurrence ? [{ kind: 'error', id: record.id, error: occurrence.error }] : [];
      case 'forget the error':
        return record.lastError === undefined ? [] : [{ kind: 'error', id: record.id, error: undefined }];
      default:
        return [toState(record.id, step)];
    }
  });
}

export type SituationName = 'none' | 'pending' | 'serving' | 'serving, pending';
export type RequestCase =
  | 'reprocess'
  | 'reprocess beside'
  | 'like the pending one'
  | 'within the serving one'
  | 'beside the serving one'
  | 'another';
type Move =
  | 'begin'
  | 'begin instead'
  | 'begin beside'
  | 'begin beside instead'
  | 'take over the pending one'
  | 'take over the serving one'
  | 'busy'
  | 'none active';

const requests: Readonly<Record<RequestCase, Readonly<Record<SituationName, Move>>>> = {
  reprocess: {
    none: 'none active',
    pending: 'busy',
    serving: 'begin',
    'serving, pending': 'busy',
  },
  'reprocess beside': {
    none: 'none active',
    pending: 'busy',
    serving: 'begin beside',
    'serving, pending': 'busy',
  },
  'like the pending one': {
    none: 'begin',
    pending: 'take over the pending one',
    serving: 'begin',
    'serving, pending': 'take over the pending one',
  },
  // Any pending deployment is given up, so that the requested content becomes the active one.
  'within the serving one': {
    none: 'begin',
    pending: 'begin instead',
    serving: 'take over the serving one',
    'serving, pending': 'take over the serving one',
  },
  'beside the serving one': {
    none: 'begin',
    pending: 'begin instead',
    serving: 'begin beside',
    'serving, pending': 'begin beside instead',
  },
  another: {
    none: 'begin',
    pending: 'begin instead',
    serving: 'begin',
    'serving, pending': 'begin instead',
  },
};

export type OccurrenceCase =
  | Exclude<Occurrence['kind'], 'published' | 'backlog lost'>
  | 'published, behind what serves'
  | 'backlog lost, restart'
  | 'backlog lost, no restart';
type OccurrenceStep =
  | DeploymentState
  | 'stop the others'
  | 'begin anew'
  | 'begin all anew'
  | 'take the place of its base'
  | 'go on alone'
  | 'forget what is not needed'
  | 'have no rest'
  | 'skip numbers'
  | 'note the error'
  | 'forget the error';

/**
 * The steps for each event. An event that comes too late, because the deployment was replaced in the meantime, is ignored:
 * nothing revives a replaced deployment.
 */
const occurrences: Readonly<
  Record<OccurrenceCase, Readonly<Record<DeploymentState, readonly OccurrenceStep[]>>>
> = {
  activated: {
    processing: ['active', 'stop the others', 'forget the error'],
    active: [],
    errored: [],
    stopped: [],
    terminated: [],
  },
  // The deployment must catch up with the serving one first.
  'published, behind what serves': {
    processing: [],
    active: [],
    errored: [],
    stopped: [],
    terminated: [],
  },
  'copied beside': {
    processing: ['take the place of its base'],
    active: [],
    errored: [],
    stopped: [],
    terminated: [],
  },
  'not beside': {
    processing: ['go on alone'],
    active: [],
    errored: [],
    stopped: [],
    terminated: [],
  },
  forgets: {
    processing: [],
    active: ['forget what is not needed'],
    errored: [],
    stopped: [],
    terminated: [],
  },
  'has no rest': {
    processing: [],
    active: ['have no rest'],
    errored: [],
    stopped: [],
    terminated: [],
  },
  'backlog lost, restart': {
    processing: ['note the error', 'stopped', 'begin anew'],
    active: ['note the error', 'errored', 'begin anew'],
    errored: [],
    stopped: [],
    terminated: [],
  },
  // The user asked for the reset, so the following copy is not a sign of an error, even if the deployment has failed meanwhile.
  'source reset': {
    processing: ['forget the error', 'stopped', 'begin anew'],
    active: ['forget the error', 'errored', 'begin anew'],
    errored: ['forget the error'],
    stopped: [],
    terminated: [],
  },
  // No deployment may serve clients, because it would bring back rows and rights that they have lost since. This includes the
  // pending one, because it may have been the active one at the time of the clients' data.
  'storage outdated': {
    processing: ['note the error', 'stopped', 'stop the others', 'skip numbers', 'begin all anew'],
    active: ['note the error', 'stopped', 'skip numbers', 'begin all anew'],
    errored: ['note the error', 'stopped', 'skip numbers', 'begin all anew'],
    stopped: [],
    terminated: [],
  },
  // A new backlog would also be lost, so the user has to change a setting first.
  'backlog lost, no restart': {
    processing: ['note the error'],
    active: ['note the error'],
    errored: [],
    stopped: [],
    terminated: [],
  },
  failed: {
    processing: ['note the error'],
    active: ['note the error'],
    errored: [],
    stopped: [],
    terminated: [],
  },
  // The deployment continues to serve, because most of its data is usable until the new copy is complete.
  damaged: {
    processing: ['note the error', 'stopped', 'begin anew'],
    active: ['note the error', 'begin anew'],
    errored: ['begin anew'],
    stopped: [],
    terminated: [],
  },
  recovered: {
    processing: ['forget the error'],
    active: ['forget the error'],
    errored: [],
    stopped: [],
    terminated: [],
  },
  cleared: {
    processing: [],
    active: [],
    errored: [],
    stopped: ['terminated'],
    terminated: [],
  },
  'torn down': {
    processing: ['stopped'],
    active: ['stopped'],
    errored: ['stopped'],
    stopped: [],
    terminated: [],
  },
};

function nameOf({ serving, pending }: Situation): SituationName {
  if (serving === undefined) return pending === undefined ? 'none' : 'pending';
  return pending === undefined ? 'serving' : 'serving, pending';
}

/**
 * Returns the case of a request. The pending deployment is compared first: if it has the same meaning as the serving one, its
 * purpose is to replace the stored data.
 */
function requestCase(
  { serving, pending }: Situation,
  request: DeploymentRequest,
  { coverageOf, canCopyAnew }: NewNames,
): RequestCase {
  if (request.kind === 'reprocess') {
    const { streams } = request;
    const isBeside = streams && serving?.state === 'active' && canCopyAnew(serving, streams);
    return isBeside && serving.lastError === undefined ? 'reprocess beside' : 'reprocess';
  }
  const { content, kind } = request;
  // The pending copy is used only for content with the same meaning. Content that needs just a part of the copy does not wait for
  // it, because the other part may be the slow one.
  if (pending && (pending.content === content || coverageOf(content, pending) === 'same'))
    return 'like the pending one';
  // A failed deployment no longer replicates, so its content must be copied again.
  if (serving?.state !== 'active') return 'another';
  // A restart alone does not copy failed content again. A user who deploys it again may want that.
  if (kind === 'configured' && serving.content === content) return 'within the serving one';
  const coverage = serving.lastError === undefined ? coverageOf(content, serving) : undefined;
  if (coverage === undefined) return 'another';
  return coverage === 'beside' ? 'beside the serving one' : 'within the serving one';
}

function occurrenceCase(
  occurrence: Occurrence,
  record: Deployment,
  serving: Deployment | undefined,
): OccurrenceCase {
  switch (occurrence.kind) {
    case 'published':
      return isBehind(record, serving) ? 'published, behind what serves' : 'activated';
    case 'backlog lost':
      return occurrence.restart ? 'backlog lost, restart' : 'backlog lost, no restart';
    default:
      return occurrence.kind;
  }
}

/** Whether the deployment is behind the serving one. Positions of another source look alike, so the wait for this is limited. */
function isBehind(
  { lastCheckpointPosition = firstPosition }: Deployment,
  serving: Deployment | undefined,
): boolean {
  return lastCheckpointPosition < (serving?.lastCheckpointPosition ?? firstPosition);
}

function contentOf({ serving }: Situation, request: DeploymentRequest): string {
  return request.kind === 'reprocess' ? (serving?.content ?? '') : request.content;
}

function takeover(
  deployment: Deployment,
  request: DeploymentRequest,
  { at, coverageOf }: NewNames,
): readonly DeploymentChange[] {
  const { id } = deployment;
  if (request.kind === 'reprocess' || request.content === deployment.content) return [];
  const { content } = request;
  const isSame = coverageOf(content, deployment) === 'same';
  return [{ kind: 'content', id, content, isSame, at, ...authorOf(request) }];
}

/**
 * Returns the changes that give up a pending deployment. If it was copied beside a base, the copied parts become a rest to
 * delete.
 */
export function givenUp(pending: Deployment | undefined): readonly DeploymentChange[] {
  if (pending === undefined) return [];
  const { id, base } = pending;
  return [
    toState(id, 'stopped'),
    ...(base === undefined ? [] : [{ kind: 'rest', id: base, hasRest: true } as const]),
  ];
}

function inPlaceOfBase(
  { id, base, content, createdAt: at, deployedBy: by }: Deployment,
  serving: Deployment | undefined,
  { before, storedTexts }: Occurrence & { readonly kind: 'copied beside' },
): readonly DeploymentChange[] {
  const isSame = serving?.state === 'active' && serving.id === base && hasTexts(serving, before);
  if (!isSame) return [];
  return [
    { kind: 'stored texts', id: serving.id, storedTexts },
    { kind: 'content', id: serving.id, content, isSame: false, at, ...(by !== undefined && { by }) },
    { kind: 'rest', id: serving.id, hasRest: true },
    toState(id, 'terminated'),
  ];
}

function isAsBefore(record: Deployment, { before }: Occurrence & { readonly kind: 'forgets' }): boolean {
  return record.content === before.content && hasTexts(record, before.storedTexts);
}

function hasTexts(record: Deployment, texts: readonly StoredText[]): boolean {
  return JSON.stringify(storedTextsOf(record)) === JSON.stringify(texts);
}

function toState(id: number, state: DeploymentState): DeploymentChange {
  return { kind: 'state', id, state };
}

/**
 * Returns a new copy with the pace of the previous one. A user who paused a copy does not expect it to continue just because it
 * had to begin again.
 */
function again(
  { state, content, pace }: Deployment,
  occurrence: Occurrence,
  naming: NewNames,
): DeploymentChange {
  const reason = 'error' in occurrence ? occurrence.error.message : undefined;
  const isPaced = state === 'processing' && pace !== undefined;
  return { ...insertion(content, naming, reason), ...(isPaced && { pace }) };
}

/** Returns the change that inserts the record of a request. */
function insertionFor(situation: Situation, request: DeploymentRequest, naming: NewNames): DeploymentChange {
  return {
    ...insertion(contentOf(situation, request), naming),
    ...authorOf(request),
    ...paceOf(request),
  };
}

function authorOf(request: DeploymentRequest): { readonly by?: string } {
  const by = request.kind === 'deploy' ? request.by : undefined;
  return by === undefined ? {} : { by };
}

function paceOf(request: DeploymentRequest): { readonly pace?: Pace } {
  const rowsPerSecond = request.kind === 'deploy' ? request.rowsPerSecond : undefined;
  return rowsPerSecond === undefined ? {} : { pace: { rowsPerSecond } };
}

/**
 * Returns the change of a pace. If the deployed config is already being copied, the deploy only sets the rate of that copy, if
 * the request has a rate.
 */
function paceChange({ id, pace }: Deployment, request: DeploymentRequest): readonly DeploymentChange[] {
  const asked = paceOf(request).pace;
  return asked === undefined ? [] : [{ kind: 'pace', id, pace: { ...pace, ...asked } }];
}

function insertion(
  content: string,
  { at, deploymentNameOf, storageVersionOf }: NewNames,
  reason?: string,
): DeploymentChange & { readonly kind: 'insert' } {
  const storageVersion = storageVersionOf(content);
  return {
    kind: 'insert',
    content,
    storageVersion,
    deploymentNameOf,
    at,
    ...(reason !== undefined && { reason }),
  };
}
