/** Deploys configs: makes decisions with the tables of `lifecycle.ts`, inside a transaction of the storage. */
import { randomBytes } from 'node:crypto';
import { ServiceError, type ServiceErrorCode } from '../ground/errors.ts';
import { createReasons } from '../ground/reasons.ts';
import type { Clock } from '../ground/world.ts';
import type { Decide, Deployment } from '../storage/deployment.ts';
import type { DeploymentStore } from '../storage/storage.ts';
import { type CopyOrder, decideCopyOrder } from './copyControl.ts';
import { readDeployedConfigs } from './deployedConfigs.ts';
import { deploymentNaming } from './deploymentNames.ts';
import { type Foresight, foresee } from './foresight.ts';
import {
  type Decision,
  type DeploymentRequest,
  decideOccurrence,
  decideRequest,
  type NewNames,
  type Occurrence,
  situationOf,
} from './lifecycle.ts';
import { type SyncConfigs, sentenceOf } from './syncConfigs.ts';

export interface Deployer {
  /**
   * Deploys the content. Returns a new pending deployment, or an existing one that stores all of the content already. Fails with
   * a {@link ServiceError} if the content has errors.
   *
   * @param options of the deploy: the maximum rate of the copy, and the user
   */
  deploy(content: string, options?: DeployOptions): Promise<NumberedDeployment>;
  /** Returns the result that {@link deploy} would have now, and fails if `deploy` would fail. */
  foresee(content: string): Promise<Foresight>;
  /**
   * Copies the active content again, or only some of its streams. Fails if there is no active content or no such stream, or while
   * another deployment is pending.
   */
  reprocess(streams?: readonly string[]): Promise<NumberedDeployment>;
  /**
   * Pauses, resumes, slows or gives up the running copy. Fails if there is none, or if `deploymentName` is given and does not match.
   * Returns the deployment as it is afterwards, or undefined if it was given up.
   */
  control(order: CopyOrder, deploymentName: string | undefined): Promise<NumberedDeployment | undefined>;
  /** Deploys the configured content at startup. Does nothing if it is already pending or active. Fails if it has errors. */
  configure(content: string): Promise<void>;
  /**
   * Stores configured content that has errors. It becomes the pending deployment, which shows the errors, and the active one
   * stays.
   */
  configureInvalid(content: string): Promise<void>;
  /** Applies an event to a deployment. */
  tell(occurrence: Occurrence): Promise<readonly Deployment[]>;
  /** Returns a function that decides on an event inside a transaction that is already open. */
  decide(occurrence: Occurrence): Decide;
}

type DeployOptions = Omit<DeploymentRequest & { readonly kind: 'deploy' }, 'kind' | 'content'>;

/** A deployment with the number of its config. */
interface NumberedDeployment extends Deployment {
  readonly configNumber: number;
}

interface DeployerSettings {
  readonly store: DeploymentStore;
  readonly configs: SyncConfigs;
  readonly namePrefix: string;
  /** The storage version for sync configs that do not choose one. */
  readonly defaultStorageVersion: number;
  readonly clock: Clock;
  /** Returns 4 random hex digits for the names of the deployments of a new storage. */
  readonly drawHex?: () => string;
  /** Called when there is work to do. */
  readonly onChange: () => void;
}

export function openDeployer(settings: DeployerSettings): Deployer {
  const { store, configs, namePrefix, clock, onChange } = settings;
  const drawHex = settings.drawHex ?? (() => randomBytes(2).toString('hex'));
  const newNames = (): ((records: readonly Deployment[]) => NewNames) => {
    const hex = drawHex();
    const read = oncePerText(configs.read);
    const storageVersionOf = (content: string) =>
      read(content).options.storageVersion ?? settings.defaultStorageVersion;
    const at = clock.now();
    return (records) => ({
      at,
      deploymentNameOf: deploymentNaming(namePrefix, hex, records),
      storageVersionOf,
      coverageOf: (content, deployment) =>
        storageVersionOf(content) === deployment.storageVersion
          ? configs.coverageOf(read(content), deployment)
          : undefined,
      canCopyAnew: (deployment, anew) =>
        configs.beside(deployment, { id: 0, content: deployment.content, anew }) !== undefined,
    });
  };

  const request = (what: DeploymentRequest): Promise<readonly Deployment[]> => {
    const names = newNames();
    return change((before) => decideRequest(before, what, names(before)));
  };

  async function change(decide: (before: readonly Deployment[]) => Decision): Promise<readonly Deployment[]> {
    let refusal: ServiceErrorCode | undefined;
    const records = await store.change((before) => {
      const decision = decide(before);
      refusal = decision.refusal;
      return decision.changes ?? [];
    });
    if (refusal !== undefined) throw new ServiceError(refusal);
    onChange();
    return records;
  }

  return {
    deploy: async (content, options) => {
      refuseInvalid(content, configs);
      return latestOf(await request({ kind: 'deploy', content, ...options }));
    },
    control: async (order, deploymentName) => {
      const records = await change((before) => decideCopyOrder(before, order, deploymentName));
      const { pending } = situationOf(records);
      return pending && withNumber(pending, records);
    },
    foresee: async (content) => {
      refuseInvalid(content, configs);
      const named = { content, config: configs.read(content) };
      const records = await store.all();
      return foresee(records, named, { configs, names: newNames()(records) });
    },
    reprocess: async (streams) => {
      if (streams !== undefined) refuseUnknown(streams, situationOf(await store.all()).serving, configs);
      return latestOf(await request({ kind: 'reprocess', ...(streams && { streams }) }));
    },
    configure: async (content) => {
      refuseInvalid(content, configs);
      await request({ kind: 'configured', content });
    },
    configureInvalid: async (content) => void (await request({ kind: 'configured', content })),
    tell: async (occurrence) => {
      const names = newNames();
      const records = await store.change((before) => decideOccurrence(before, occurrence, names(before)));
      onChange();
      return records;
    },
    decide: (occurrence) => {
      const names = newNames();
      return (before) => decideOccurrence(before, occurrence, names(before));
    },
  };
}

function refuseUnknown(
  streams: readonly string[],
  serving: Deployment | undefined,
  configs: SyncConfigs,
): void {
  if (serving === undefined) return;
  const { plans } = configs.of(serving);
  const unknown = streams.filter((stream) => plans.every(({ name }) => name !== stream));
  if (unknown.length === 0) return;
  const names = unknown.map((name) => `"${name}"`).join(', ');
  throw new ServiceError('SVC_S4109', `The active sync config has no stream ${names}.`);
}

function refuseInvalid(content: string, configs: SyncConfigs): void {
  const { valid, problems } = configs.read(content);
  if (valid) return;
  const errors = createReasons();
  for (const problem of problems) if (problem.severity === 'error') errors.add(() => sentenceOf(problem));
  throw new ServiceError('SVC_R0001', errors.list().join(', '));
}

/** Caches the result for the last text, because a transaction that must be repeated decides again. */
function oncePerText<Result>(read: (text: string) => Result): (text: string) => Result {
  let known: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    if (known?.text !== text) known = { text, result: read(text) };
    return known.result;
  };
}

function latestOf(records: readonly Deployment[]): NumberedDeployment {
  const { serving, pending } = situationOf(records);
  const latest = pending ?? serving;
  if (latest === undefined) throw new Error('what was just deployed is pending or serves');
  return withNumber(latest, records);
}

function withNumber(deployment: Deployment, records: readonly Deployment[]): NumberedDeployment {
  return {
    ...deployment,
    configNumber: readDeployedConfigs(records).of(deployment)?.number ?? deployment.id,
  };
}
