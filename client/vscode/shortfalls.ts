/** Asks the selected service which parts of the deployed config its source lacks, less often than for its health. */

import { type MissingNamesResult, missingNamesRequest } from '../../server/protocol.ts';
import type { Diagnosis, TableStatus } from '../api/answers.ts';
import type { Api } from '../api/api.ts';
import { keyOfConfig } from '../api/deployedConfig.ts';
import { unlessFailed } from '../api/failure.ts';
import type { SourceCheck } from '../deploying/flow.ts';
import { isHeard, pollEvery } from '../health/health.ts';
import { newsOf, type Shortfall } from '../health/problems.ts';
import type { LanguageServer } from './language.ts';
import type { Target } from './targets/target.ts';

export interface Shortfalls {
  /** Returns the shortfall; undefined if it is unknown. */
  of(target: Target): Shortfall | undefined;
  /** Called after an answer of the target, with the text of its active config. */
  learn(api: Api, target: Target, diagnosis: Diagnosis, active: string | undefined): Promise<void>;
  /** Checks a config before it is deployed. */
  check(api: Api, text: string, signal?: AbortSignal): Promise<SourceCheck>;
}

type Ask = Pick<LanguageServer, 'ask'>;

/** The time until tables are read again, in milliseconds. It is short if tables are missing, because the user may add them. */
const pauses = { missing: pollEvery, whole: 300_000 };

interface LatestShortfall extends Shortfall {
  readonly target: string;
  /** The state of the service for which the shortfall was found, so that the service is not asked twice about the same state. */
  readonly state: string;
  readonly at: number;
}

interface Listeners {
  readonly onChange: () => void;
  /**
   * Called when the database of the service has run new scripts. The first sentence reports the scripts, and the others the
   * omitted statements.
   */
  readonly onNews: (sentences: readonly string[]) => void;
}

export function openShortfalls(
  language: Ask,
  { onChange, onNews }: Listeners,
  now: () => number = Date.now,
): Shortfalls {
  let latest: LatestShortfall | undefined;
  let isLearning = false;

  async function learn(
    api: Api,
    target: Target,
    diagnosis: Diagnosis,
    text: string | undefined,
  ): Promise<void> {
    // A source that does not answer has no known tables.
    if (!isHeard(diagnosis)) return;
    const { active } = diagnosis;
    const scripts = target.kind === 'local' ? await unlessFailed(api.scripts()) : undefined;
    const state = JSON.stringify([keyOfConfig(active), text === undefined, scripts]);
    const isSame = latest?.target === target.id && latest.state === state;
    const pause = latest?.missing.length === 0 ? pauses.whole : pauses.missing;
    if (isSame && latest !== undefined && now() - latest.at < pause) return;
    const missing = text === undefined ? [] : ((await missingOnService(api, language, text)) ?? []);
    const before = JSON.stringify(latest?.missing);
    const news = newsOf(latest?.target === target.id ? latest.scripts : undefined, scripts);
    latest = { target: target.id, state, at: now(), missing, ...(scripts && { scripts }) };
    if (!isSame || before !== JSON.stringify(missing)) onChange();
    if (news.length > 0) onNews(news);
  }

  return {
    of: (target) => (latest?.target === target.id ? latest : undefined),
    async learn(...asked) {
      if (isLearning) return;
      isLearning = true;
      try {
        await learn(...asked);
      } finally {
        isLearning = false;
      }
    },
    async check(api, text, signal) {
      const [missing, tables = []] = await Promise.all([
        missingOnService(api, language, text, signal),
        unlessFailed(api.validatedTables(text, signal)),
      ]);
      return { missing, warnings: warningsOf(tables, missing) };
    },
  };
}

/** Returns undefined if the service does not report its tables. */
async function missingOnService(
  api: Api,
  language: Ask,
  text: string,
  signal?: AbortSignal,
): Promise<NonNullable<MissingNamesResult> | undefined> {
  const answer = await unlessFailed(api.schema(signal));
  if (answer === undefined) return undefined;
  return (await language.ask<MissingNamesResult>(missingNamesRequest, { text, answer })) ?? undefined;
}

/** Leaves out problems of the file, which the editor shows anyway, and missing tables, which have a better sentence. */
function warningsOf(tables: readonly TableStatus[], missing: SourceCheck['missing']): readonly string[] {
  const told = missing === undefined ? tables : tables.filter(({ keys }) => keys.length > 0);
  return told.flatMap(({ errors }) => errors.map(({ message }) => message));
}
