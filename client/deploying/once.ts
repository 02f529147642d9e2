/** Deploys exactly once, also when the answer to it is lost: then it is looked for, not sent again. */

import type { Deployment, Diagnosis } from '../api/answers.ts';
import type { Api } from '../api/api.ts';
import { ApiFailure, isFailure, mayHaveHappened } from '../api/failure.ts';
import { t } from '../l10n.ts';

interface DeployWorld {
  /** Milliseconds; rejects when it is cancelled. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** A service that is still busy with the request that we gave up on needs a while. */
const looks = { count: 6, every: 1_000 };

/**
 * @param before what was there: whatever has another slot and this content is what was sent
 * @returns the slot
 */
export function deployOnce(
  api: Pick<Api, 'deploy' | 'diagnose'>,
  content: string,
  before: Diagnosis,
  world: DeployWorld,
): Promise<string> {
  const send = () => api.deploy(content);
  return once(send, { api, before, isSent: (deployed) => deployed.content === content }, world);
}

/** As `deployOnce`, of what is active. */
export function reprocessOnce(
  api: Pick<Api, 'reprocess' | 'diagnose'>,
  before: Diagnosis,
  world: DeployWorld,
): Promise<string> {
  return once(() => api.reprocess(), { api, before, isSent: () => true }, world);
}

interface SentRequest {
  readonly api: Pick<Api, 'diagnose'>;
  readonly before: Diagnosis;
  /** Of what was not there before. */
  readonly isSent: (deployed: Deployment) => boolean;
}

async function once(
  send: () => Promise<string>,
  { api, before, isSent }: SentRequest,
  { pause }: DeployWorld,
) {
  try {
    return await send();
  } catch (error) {
    if (!isFailure(error) || !mayHaveHappened(error)) throw error;
    const known = slotsOf(before).map(({ slot }) => slot);
    let latest: Diagnosis | undefined;
    for (let look = 0; look < looks.count; look += 1) {
      await pause(looks.every);
      const now = await api.diagnose({ content: true }).catch(() => undefined);
      latest = now ?? latest;
      const found = slotsOf(now).find((each) => !known.includes(each.slot) && isSent(each));
      if (found) return found.slot;
    }
    throw latest === undefined ? unknown(error) : absent(error);
  }
}

function slotsOf(diagnosis: Diagnosis | undefined): readonly Deployment[] {
  return [diagnosis?.active, diagnosis?.pending].filter((each) => each !== undefined);
}

function absent(cause: ApiFailure): ApiFailure {
  return new ApiFailure(
    cause.kind,
    t('{0} The service was asked again, and has nothing new so far.', cause.message),
    cause.facts,
    { cause },
  );
}

function unknown(cause: ApiFailure): ApiFailure {
  return new ApiFailure(
    cause.kind,
    t(
      '{0} Whether the config is deployed is not known: compare with what is deployed before you try again.',
      cause.message,
    ),
    cause.facts,
    { cause },
  );
}
