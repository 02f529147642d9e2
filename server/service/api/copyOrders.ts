/** The copy of a pending deployment: pauses, resumes, slows or cancels it, and reports its progress. */
import { type CopyOrder, copyStateOf } from '../deployments/copyControl.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Parameters } from '../http/route.ts';
import type { JobStatus } from '../replication/jobs/entry.ts';
import type { Deployment } from '../storage/deployment.ts';
import type { ApiParts } from './parts.ts';

const actions = ['pause', 'resume', 'rate', 'give-up'] as const;
type Action = (typeof actions)[number];

/** The limits of a rate, in rows per second. */
const rates = { least: 1, most: 1_000_000_000 };

const known = ['action', 'rows_per_second', 'slot_name'];

export function problemsInCopyOrder(parameters: Parameters): readonly string[] {
  const { action, rows_per_second: rate, slot_name: slot } = parameters;
  return [
    ...Object.keys(parameters).flatMap((name) =>
      known.includes(name) ? [] : [`The property '${name}' is not expected here.`],
    ),
    ...(isAction(action) ? [] : [`The property 'action' must be one of: ${actions.join(', ')}.`]),
    ...(action === 'rate' && rate !== null ? problemsInRate(parameters) : []),
    ...(action !== 'rate' && rate !== undefined
      ? ["The property 'rows_per_second' requires the action 'rate'."]
      : []),
    ...(slot === undefined || typeof slot === 'string' ? [] : ["The property 'slot_name' must be a string."]),
  ];
}

/** Returns the problems of a deploy's rate, which is optional. */
export function problemsInDeployRate(parameters: Parameters): readonly string[] {
  return parameters.rows_per_second === undefined ? [] : problemsInRate(parameters);
}

function problemsInRate({ rows_per_second: rate }: Parameters): readonly string[] {
  const isRate =
    Number.isSafeInteger(rate) && (rate as number) >= rates.least && (rate as number) <= rates.most;
  return isRate
    ? []
    : [`The property 'rows_per_second' must be a whole number from ${rates.least} to ${rates.most}.`];
}

export async function answerCopyOrder(
  parameters: Parameters,
  parts: ApiParts,
): Promise<Record<string, unknown>> {
  const action = parameters.action as Action;
  // A config from the service config cannot be given up, because the next start would deploy it again.
  if (action === 'give-up') refuseConfigured(parts);
  const slot = parameters.slot_name as string | undefined;
  const pending = await parts.deployer.control(orderOf(action, parameters), slot);
  return {
    ...(pending && namesOf(pending)),
    ...stateAnswer(pending),
  };
}

/** Returns the fields that name a deployment. The number of the config is an addition to the reference API. */
export function namesOf({
  deploymentName,
  configNumber,
}: Pick<Deployment, 'deploymentName'> & { readonly configNumber: number }): Record<string, unknown> {
  return { slot_name: deploymentName, config_number: configNumber };
}

export function refuseConfigured({ configOrigin }: Pick<ApiParts, 'configOrigin'>): void {
  if (configOrigin === undefined) return;
  throw new ServiceError(
    'SVC_S4105',
    `It comes from ${configOrigin}: change it there, and restart the service.`,
  );
}

function orderOf(action: Action, { rows_per_second: rate }: Parameters): CopyOrder {
  switch (action) {
    case 'rate':
      return { kind: 'rate', ...(typeof rate === 'number' && { rowsPerSecond: rate }) };
    case 'give-up':
      return { kind: 'give up' };
    default:
      return { kind: action };
  }
}

function stateAnswer(pending: Deployment | undefined): Record<string, unknown> {
  const rate = pending?.pace?.rowsPerSecond;
  return { state: copyStateOf(pending), ...(rate !== undefined && { rate_limit: rate }) };
}

/** Returns a field that the reference API does not have; clients that do not know it ignore it. */
export function copyAnswer(deployment: Deployment, job: JobStatus | undefined): Record<string, unknown> {
  if (deployment.state !== 'processing') return {};
  const { rows, ofRows, rowsPerSecond, remaining } = job?.progress.copy ?? {};
  return {
    copy: {
      ...stateAnswer(deployment),
      ...(rows !== undefined && { rows }),
      ...(ofRows !== undefined && { of_rows: ofRows }),
      ...(rowsPerSecond !== undefined && { rows_per_second: Math.round(rowsPerSecond) }),
      ...(remaining !== undefined && { remaining_seconds: Math.ceil(remaining / 1000) }),
    },
  };
}

function isAction(value: unknown): value is Action {
  return actions.some((action) => action === value);
}
