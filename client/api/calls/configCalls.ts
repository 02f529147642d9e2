/** Calls about sync configs: validation, deploys and copies. */
import { t } from '../../l10n.ts';
import { type AffectedUsers, readAffectedUsers } from '../affectedUsers.ts';
import {
  type CopyOutcome,
  type ReportedError,
  readCopyState,
  readLimit,
  readSent,
  readValidatedTables,
  readVerdict,
  type TableStatus,
} from '../answers.ts';
import type { SentConfig } from '../deployedConfig.ts';
import { ApiFailure, isFailure } from '../failure.ts';
import { type DeployPlan, readPlan } from '../plan.ts';
import { type Caller, callLimits, isUnknownPath, post, postConfig } from './caller.ts';

export interface ConfigCalls {
  /** Validates the config against the current database, and stores nothing. */
  validate(content: string, signal?: AbortSignal): Promise<readonly ReportedError[]>;
  /** Validates the config, and returns the tables that it reads, with the reasons why their rows do not sync. */
  validatedTables(content: string, signal?: AbortSignal): Promise<readonly TableStatus[]>;
  /** Deploys the config. Use `deployOnce` instead, because it handles a lost answer. `by`: the user. */
  deploy(content: string, by?: string): Promise<SentConfig>;
  /** Deploys with a maximum copy rate. Fails as `unsupported` if the service does not support the rate or ignores it. */
  deploySlowly(content: string, options: SlowDeploy): Promise<SentConfig>;
  /** Pauses, resumes, slows or gives up the copy in progress. Only our service supports this. */
  controlCopy(order: CopyRequest, signal?: AbortSignal): Promise<CopyOutcome>;
  /** Returns the plan of a deploy, or undefined if the service has no plans. Only Headwater's service has them. */
  plan(content: string, signal?: AbortSignal): Promise<DeployPlan | undefined>;
  /** Returns the users who would gain or lose rows, or undefined if the service cannot report them. */
  affectedUsers(content: string, signal?: AbortSignal): Promise<AffectedUsers | undefined>;
  /** Copies everything again, or only some streams. The old copy serves clients until the new one is complete. */
  reprocess(streams?: readonly string[], signal?: AbortSignal): Promise<SentConfig>;
}

interface SlowDeploy {
  readonly rowsPerSecond: number;
  readonly by?: string | undefined;
}

export interface CopyRequest {
  readonly action: 'pause' | 'resume' | 'rate' | 'give-up';
  /** The new limit of the action `rate`. Null removes the limit. */
  readonly rowsPerSecond?: number | null;
  /** The slot of the copy. The service refuses the request if it is copying another slot. */
  readonly slot?: string;
}

const deployPath = '/api/sync-rules/v1/deploy';

export function configCalls(caller: Caller): ConfigCalls {
  const { address, askFor } = caller;
  const validate = (content: string) =>
    post('/api/admin/v1/validate', callLimits.validate, { sync_rules: content });
  return {
    validate: (content, signal) => askFor(validate(content), readVerdict, signal),
    validatedTables: (content, signal) => askFor(validate(content), readValidatedTables, signal),
    deploy: (content, by) => {
      const query = by !== undefined && { query: `?deployed_by=${encodeURIComponent(by)}` };
      return askFor({ ...postConfig(deployPath, callLimits.deploy, content), ...query }, readSent);
    },
    deploySlowly: async (content, { rowsPerSecond, by }) => {
      // A service without copy rates would deploy the config and copy at full speed.
      if (!(await knowsCopies(caller))) {
        const sentence = t(
          '{0} does not support a copy rate, so nothing was deployed. Deploy without a rate to copy at full speed.',
          address.host,
        );
        throw new ApiFailure('unsupported', sentence);
      }
      const read = (value: unknown) => {
        const sent = readSent(value);
        if (sent === undefined || readLimit(value) === rowsPerSecond) return sent;
        const sentence = t(
          '{0} accepted the config but ignores the rate, so it is copying at full speed.',
          address.host,
        );
        throw new ApiFailure('unsupported', sentence, { details: sent.slot });
      };
      const body = { content, rows_per_second: rowsPerSecond, ...(by !== undefined && { deployed_by: by }) };
      return askFor(post(deployPath, callLimits.deploy, body), read);
    },
    controlCopy: async ({ action, rowsPerSecond, slot }, signal) => {
      const body = {
        action,
        ...(rowsPerSecond !== undefined && { rows_per_second: rowsPerSecond }),
        ...(slot !== undefined && { slot_name: slot }),
      };
      const outcome = await askFor(
        post('/api/admin/v1/copy', callLimits.deploy, body),
        readCopyState,
        signal,
      );
      const limit = outcome.kind === 'given up' ? undefined : outcome.limit;
      if (rowsPerSecond === undefined || rowsPerSecond === (limit ?? null)) return outcome;
      throw new ApiFailure('unsupported', t('{0} ignored the rate.', address.host));
    },
    plan: (content, signal) =>
      caller.askIfKnown(
        postConfig('/api/sync-rules/v1/plan', callLimits.validate, content),
        readPlan,
        signal,
      ),
    affectedUsers: (content, signal) =>
      caller.askIfKnown(
        post('/api/admin/v1/affected-users', callLimits.validate, { sync_rules: content }),
        readAffectedUsers,
        signal,
      ),
    reprocess: (streams, signal) =>
      askFor(
        // A service that cannot copy single streams does not have the second path, so it refuses the request.
        streams === undefined
          ? post('/api/admin/v1/reprocess', callLimits.deploy, {})
          : post('/api/sync-rules/v1/reprocess', callLimits.deploy, { streams }),
        readCopiedAgain,
        signal,
      ),
  };
}

function readCopiedAgain(value: unknown): SentConfig | undefined {
  const sent = readSent(value);
  return sent && { ...sent, isCopiedAgain: true };
}

/** Whether the service can pause and slow a copy. The request is empty, so it has no effect. */
async function knowsCopies({ ask }: Caller): Promise<boolean> {
  try {
    await ask(post('/api/admin/v1/copy', callLimits.diagnose, {}));
    return true;
  } catch (error) {
    if (isUnknownPath(error)) return false;
    if (isFailure(error, 'refused')) return true;
    throw error;
  }
}
