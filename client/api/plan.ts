/** A service's report about the effects of a deploy. */
import { dataOf } from './answers.ts';
import { fieldsOf, listOf, numberIn, textIn } from './reading.ts';

export interface DeployPlan {
  /**
   * `nothing`: the service already serves exactly this config. `at_once`: everything is already stored. `under_way`: the
   * running copy contains everything. `copy`: everything is copied.
   */
  readonly outcome: (typeof outcomes)[number];
  /** Whether another running copy is given up. */
  readonly replacesPending: boolean;
  readonly streams: readonly PlannedStream[];
  /** The tables that are read from the start. */
  readonly tables: readonly PlannedTable[];
}

export interface PlannedStream {
  readonly name: string;
  readonly change: (typeof streamChanges)[number];
  /** Whether clients download the stream, even if they have it already. */
  readonly downloaded: boolean;
}

export interface PlannedTable {
  readonly schema: string;
  readonly name: string;
  /** The number of rows according to the statistics of the source. Absent if there are no statistics. */
  readonly rows?: number;
}

const outcomes = ['nothing', 'at_once', 'under_way', 'copy'] as const;
const streamChanges = ['kept', 'new', 'gone', 'rows', 'access', 'delivery'] as const;

/** Returns undefined if the value is not a plan. */
export function readPlan(value: unknown): DeployPlan | undefined {
  const data = dataOf(value) ?? {};
  const outcome = outcomes.find((each) => each === data.outcome);
  if (outcome === undefined) return undefined;
  return {
    outcome,
    replacesPending: data.replaces_pending === true,
    streams: listOf(data.streams).flatMap((each) => {
      const fields = fieldsOf(each);
      const change = streamChanges.find((one) => one === fields.change);
      const name = textIn(fields, 'name') ?? '';
      return change === undefined ? [] : [{ name, change, downloaded: fields.downloaded === true }];
    }),
    tables: listOf(data.tables).map((each) => {
      const fields = fieldsOf(each);
      const rows = numberIn(fields, 'estimated_rows');
      return {
        schema: textIn(fields, 'schema') ?? '',
        name: textIn(fields, 'name') ?? '',
        ...(rows !== undefined && { rows }),
      };
    }),
  };
}
