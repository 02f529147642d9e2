/** A service's report about a comparison of its storage with its source. */
import { dataOf } from '../answers.ts';
import { fieldsOf, listOf, numberIn, present, textIn } from '../reading.ts';

export interface Verification {
  readonly id: number;
  readonly slot: string;
  readonly isDone: boolean;
  readonly tables: readonly VerifiedTable[];
  /** Stored data that differs from the written data. */
  readonly damaged: readonly string[];
  /** The slot of the new copy, if everything is copied again. */
  readonly newSlot?: string;
  /** The number of its config. */
  readonly newConfigNumber?: number;
  /** The reason why the comparison did not finish. */
  readonly failure?: string;
}

export interface VerifiedTable {
  readonly table: string;
  /** The number of rows in the source. */
  readonly rows: number;
  readonly stored: number;
  readonly missing: number;
  readonly stale: number;
  readonly extra: number;
  readonly unjudged: number;
  /** Rows that differed in the first comparison but were not compared again, because there were too many. */
  readonly more: number;
  readonly repaired: number;
  readonly examples: readonly { readonly difference: string; readonly row: string }[];
  /** The differences between the table and its definition when it was copied, as phrases. */
  readonly definitionChanges: readonly string[];
  /** Whether the entire table was copied again because of them. */
  readonly isCopiedAgain: boolean;
  /** The reason why the table was not compared. */
  readonly skipped?: string;
}

/** Returns undefined if the value is not a verification. */
export function readVerification(value: unknown): Verification | undefined {
  const data = dataOf(value) ?? {};
  const id = numberIn(data, 'id');
  if (id === undefined || !Array.isArray(data.tables)) return undefined;
  return present({
    id,
    slot: textIn(data, 'slot_name') ?? '',
    isDone: data.done === true,
    tables: data.tables.map(readTable),
    damaged: listOf(data.damaged).map(String),
    newSlot: textIn(data, 'new_slot_name'),
    newConfigNumber: numberIn(data, 'new_config_number'),
    failure: textIn(data, 'failure'),
  });
}

function readTable(value: unknown): VerifiedTable {
  const fields = fieldsOf(value);
  const count = (name: string) => numberIn(fields, name) ?? 0;
  return present({
    table: textIn(fields, 'table') ?? '',
    rows: count('rows'),
    stored: count('stored'),
    repaired: count('repaired'),
    missing: count('missing'),
    stale: count('stale'),
    extra: count('extra'),
    unjudged: count('unjudged'),
    more: count('more'),
    examples: listOf(fields.examples).map((each) => {
      const { difference, row } = fieldsOf(each);
      return { difference: String(difference), row: String(row) };
    }),
    definitionChanges: listOf(fields.definition_changes).map(String),
    isCopiedAgain: fields.copied_again === true,
    skipped: textIn(fields, 'skipped'),
  });
}
