/** Predicts the consequences of SQL files that are not run yet. The database is loaded only when it is needed. */
import type { RehearsalAnswer, RehearsalQuestion } from '../service/replication/rehearsal/rehearse.ts';

export type { Rehearsal, RehearsedTable, Remark } from '../service/replication/rehearsal/rehearse.ts';

export type Rehearse = (question: RehearsalQuestion, signal: AbortSignal) => Promise<RehearsalAnswer>;

export const rehearse: Rehearse = async (question, signal) => {
  const loaded = await import('../service/replication/rehearsal/index.ts');
  return loaded.rehearse(question, signal);
};
