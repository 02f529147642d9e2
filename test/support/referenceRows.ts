/** The reference engine as a black box that puts rows into buckets. */
import { DEFAULT_HYDRATION_STATE, SqlSyncRules } from '@powersync/service-sync-rules';
import type { SqlValue } from '../../server/engine/plan/values/value.ts';

interface EvaluatedRow {
  readonly bucket: string;
  readonly table: string;
  readonly id: string;
  readonly data: Readonly<Record<string, SqlValue>>;
}

export interface ReferenceResult {
  readonly rows: readonly EvaluatedRow[];
  readonly failed: boolean;
}

export type ReferenceRows = (table: string, record: Readonly<Record<string, SqlValue>>) => ReferenceResult;

/** Its answers for the rows of a config that it accepts. */
export function referenceRows(yaml: string): ReferenceRows {
  const { config } = SqlSyncRules.fromYaml(yaml, {
    throwOnError: true,
    defaultSchema: 'public',
    schema: undefined,
  } as never) as never as { config: { hydrate(settings: object): Hydrated } };
  const hydrated = config.hydrate({ hydrationState: DEFAULT_HYDRATION_STATE });
  return (name, record) => {
    const sourceTable = { connectionTag: 'default', schema: 'public', name };
    const { results, errors } = hydrated.evaluateRowWithErrors({ sourceTable, record });
    return { rows: results, failed: errors.length > 0 };
  };
}

interface Hydrated {
  evaluateRowWithErrors(input: object): {
    readonly results: readonly EvaluatedRow[];
    readonly errors: readonly unknown[];
  };
}
