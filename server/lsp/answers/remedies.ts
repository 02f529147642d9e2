/** Refactorings that make the lookups of a client read less. The service selected in the client counts the effect of each. */
import type { Connection } from 'vscode-languageserver';
import type { Analysis } from '../../engine/index.ts';
import type { Span } from '../../engine/text/span.ts';
import type { Action } from '../../features/actions/action.ts';
import { remediesAt } from '../../features/actions/remedies/index.ts';
import {
  afterRemedy,
  keepsAccess,
  type Remedy,
  type RemedyNumbers,
  readNumbers,
  toAction,
} from '../../features/actions/remedies/remedy.ts';
import { type GivenForecastParams, givenForecastRequest } from '../../protocol.ts';
import { openTurns } from '../../shared/turns.ts';
import { readClientOptions } from '../host/clientOptions.ts';
import { inSlices } from '../host/slices.ts';
import type { LanguageSession } from '../workspace/session.ts';

/** How long a menu waits for counts, in milliseconds. Later counts appear when the menu is opened again. */
const patience = 4_000;
/** The time limit in milliseconds for comparing a remedy with the current config. */
const longestComparison = 1_500;
/** The maximum number of cached counts. */
const mostKept = 50;

type RemediesIn = (analysis: Analysis, selection: Span) => Promise<readonly Action[]>;

export function openRemedies(connection: Connection, session: LanguageSession): RemediesIn {
  const { clock } = session.host;
  const kept = new Map<string, Promise<RemedyNumbers | undefined>>();
  let keptOf = session.limits();
  /** Counts run one after the other, because some of them make the service read entire tables. */
  const counts = openTurns();

  function count(content: string, streams: readonly string[]): Promise<RemedyNumbers | undefined> {
    // The service may have other rows now, or another service may be selected.
    if (keptOf !== session.limits()) kept.clear();
    keptOf = session.limits();
    const params: GivenForecastParams = { content, streams };
    const key = JSON.stringify(params);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size >= mostKept) kept.delete(oldest);
    const counting = counts
      .run(() => connection.sendRequest<unknown>(givenForecastRequest, params))
      .then(readNumbers)
      .catch(() => undefined);
    kept.set(key, counting);
    // Failed counts are not cached, because the service may answer the next time.
    void counting.then((numbers) => numbers ?? kept.delete(key));
    return counting;
  }

  async function offer(analysis: Analysis, remedy: Remedy): Promise<Action | undefined> {
    const after = afterRemedy(analysis, remedy);
    const numbers = Promise.all([count(analysis.text, remedy.before), count(after.text, remedy.after)]);
    const end = clock.now() + longestComparison;
    const comparing = keepsAccess(analysis, after, () => clock.now() >= end);
    if ((await inSlices(comparing, clock, () => true)) !== true) return undefined;
    const [now, then] = await numbers;
    return now && then && toAction(remedy, now, then);
  }

  return async (analysis, selection) => {
    const canCount = readClientOptions(session.client).forecasts === true && session.limits() !== undefined;
    if (!canCount || analysis.kind !== 'sync') return [];
    const found = new Map<number, Action>();
    const offers = remediesAt(analysis, selection).map(async (remedy, index) => {
      const action = await offer(analysis, remedy);
      if (action !== undefined) found.set(index, action);
    });
    await Promise.race([Promise.all(offers), clock.wait(patience)]);
    return [...found].sort(([one], [other]) => one - other).map(([, action]) => action);
  };
}
