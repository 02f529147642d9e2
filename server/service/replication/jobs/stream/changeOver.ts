import { replicates } from '../../../../engine/plan/evaluate/evaluate.ts';
import { toReplicatedTable } from '../../rows/tables.ts';
import type { Replication } from '../replication.ts';
import { openSurvey } from '../survey.ts';
import type { StreamState } from './state.ts';

/** Continues the stream with the config whose copy is now served. From here on, rows are stored as it needs them. */
export async function changeOver(state: StreamState, next: Replication): Promise<void> {
  const { writer, evaluator, source, progress } = next;
  const { tag } = source;
  state.replication = next;
  state.beside?.end();
  state.beside = undefined;
  const stored = await writer.tables();
  for (const record of stored) {
    const { sourceId, schema, name } = record;
    const known = state.tables.get(sourceId);
    const isUsed = replicates(evaluator.tables, { tag, schema, name });
    if (known !== undefined)
      state.tables.set(sourceId, isUsed ? toReplicatedTable(known.info, record, next) : undefined);
    if (isUsed) progress.table(record);
    else progress.dropTable(record);
  }
  state.survey = openSurvey(next);
  await state.survey.begin();
}
