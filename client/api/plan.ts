/** A service's report of what a deploy would do. */
import { dataOf } from './answers.ts';
import { fieldsOf, listOf, numberIn, textIn } from './reading.ts';

export interface DeployPlan {
  /**
   * `nothing`: it serves this very text. `at_once`: it has stored all of it. `under_way`: the copy that it is making has it.
   * `copy`: it copies all of it.
   */
  readonly outcome: (typeof outcomes)[number];
  /** Another running copy is given up. */
  readonly replacesPending: boolean;
  readonly streams: readonly PlannedStream[];
  /** The tables that are read from the start. */
  readonly tables: readonly PlannedTable[];
}

export interface PlannedStream {
  readonly name: string;
  readonly change: (typeof streamChanges)[number];
  /** Clients download it, again if they had it. */
  readonly downloaded: boolean;
}

export interface PlannedTable {
  readonly schema: string;
  readonly name: string;
  /** The number of rows by the statistics of the source. Absent if it has none. */
  readonly rows?: number;
}

const outcomes = ['nothing', 'at_once', 'under_way', 'copy'] as const;
const streamChanges = ['kept', 'new', 'gone', 'rows', 'access', 'delivery'] as const;

/** Returns undefined if the value is not such an answer. */
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
