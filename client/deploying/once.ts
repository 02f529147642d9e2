/** Deploys exactly once, even if the answer is lost: then the deployment is searched for, and the config is not sent again. */

import type { Deployment, Diagnosis } from '../api/answers.ts';
import type { Api } from '../api/api.ts';
import { namesOf, type SentConfig, slotOfDeploy, withNumber } from '../api/deployedConfig.ts';
import { ApiFailure, isFailure, mayHaveHappened } from '../api/failure.ts';
import { t } from '../l10n.ts';

interface DeployWorld {
  /** Waits for this time. Rejects when the deploy is cancelled. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** The name of the user. It is sent only to our service, because only that lists who deployed a config. */
  readonly user?: string | undefined;
}

/** The looks for a deployment whose answer was lost, in milliseconds. The service may still be busy with the request. */
const looks = { count: 6, every: 1_000 };

/**
 * @param before the earlier diagnosis; a deployment with the sent content is new if its slot is new or had different content
 * @param rate the maximum number of rows per second
 */
export async function deployOnce(
  api: Pick<Api, 'deploy' | 'deploySlowly' | 'diagnose'>,
  content: string,
  before: Diagnosis,
  world: DeployWorld,
  rate?: number,
): Promise<SentConfig> {
  const by = before.service && world.user;
  const send = () =>
    rate === undefined ? api.deploy(content, by) : api.deploySlowly(content, { rowsPerSecond: rate, by });
  const known = deploymentsOf(before);
  const wasThere = (deployed: Deployment) =>
    known.some((each) => each.slot === deployed.slot && each.content === deployed.content);
  const isSent = (deployed: Deployment) => deployed.content === content && !wasThere(deployed);
  return withNumber(await once(send, { api, isSent }, world), before.service);
}

/** Does the same as `deployOnce` for the active config. */
export async function reprocessOnce(
  api: Pick<Api, 'reprocess' | 'diagnose'>,
  before: Diagnosis,
  world: DeployWorld,
  streams?: readonly string[],
): Promise<SentConfig> {
  const known = deploymentsOf(before).map(slotOfDeploy);
  const isSent = (deployed: Deployment) => !known.includes(slotOfDeploy(deployed));
  const sent = await once(() => api.reprocess(streams), { api, isSent }, world);
  return { ...withNumber(sent, before.service), isCopiedAgain: true };
}

interface SentRequest {
  readonly api: Pick<Api, 'diagnose'>;
  /** Whether the deployment is the new one. */
  readonly isSent: (deployed: Deployment) => boolean;
}

async function once(
  send: () => Promise<SentConfig>,
  { api, isSent }: SentRequest,
  { pause }: DeployWorld,
): Promise<SentConfig> {
  try {
    return await send();
  } catch (error) {
    if (!isFailure(error) || !mayHaveHappened(error)) throw error;
    let latest: Diagnosis | undefined;
    for (let look = 0; look < looks.count; look += 1) {
      await pause(looks.every);
      const now = await api.diagnose({ content: true }).catch(() => undefined);
      latest = now ?? latest;
      const found = deploymentsOf(now).find(isSent);
      if (found) return namesOf(found);
    }
    throw latest === undefined ? unknown(error) : absent(error);
  }
}

function deploymentsOf(diagnosis: Diagnosis | undefined): readonly Deployment[] {
  return [diagnosis?.active, diagnosis?.pending].filter((each) => each !== undefined);
}

function absent(cause: ApiFailure): ApiFailure {
  return new ApiFailure(
    cause.kind,
    t('{0} The service was asked again, and reports no new deployment so far.', cause.message),
    cause.facts,
    { cause },
  );
}

function unknown(cause: ApiFailure): ApiFailure {
  return new ApiFailure(
    cause.kind,
    t(
      '{0} The config may or may not be deployed. Compare it with the deployed config before you try again.',
      cause.message,
    ),
    cause.facts,
    { cause },
  );
}
