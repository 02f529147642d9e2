/** What users gain and lose of the rows that a file of access tests names. */
import {
  type Config,
  compareRows,
  type RowDifference,
  type TestedRow,
  type TestFile,
} from '../../../server/engine/index.ts';
import { harmless, type Paint } from '../colours.ts';
import type { Answer } from '../command.ts';

interface GivenRows {
  readonly file: TestFile;
  readonly seeds: readonly TestedRow[];
}

export function rowsAnswer(before: Config, after: Config, { file, seeds }: GivenRows, paint: Paint): Answer {
  const rows = [...seeds, ...file.rows.map(({ table, id, values }) => ({ table: table.value, id, values }))];
  // Whatever a test asks for, each user may ask for.
  const asked = file.tests.flatMap(({ subscriptions }) =>
    subscriptions.map(({ stream, parameters }) => ({ stream: stream.value, parameters })),
  );
  const subscriptions = [
    ...new Map(asked.map((each) => [JSON.stringify(each, withIntegers), each])).values(),
  ];
  const users = file.users.map(({ name, claims, parameters }) => ({
    user: name.value,
    asking: { claims, parameters, subscriptions },
  }));
  const changes = compareRows(before, after, rows, users);
  const among = `among ${rows.length} rows and ${users.length} users`;
  return {
    code: changes.length === 0 ? 0 : 1,
    json: { rows: rows.length, users: users.length, changes },
    lines:
      changes.length === 0
        ? [`Nobody gains or loses a row, ${among}.`]
        : changes.map((change) => `${lineOf(change, paint)}, ${among}`),
  };
}

function lineOf({ kind, table, count, examples }: RowDifference, paint: Paint): string {
  const tint = kind === 'gained' ? paint.red : paint.yellow;
  const named = examples.map(({ user, id }) => `${user} ${id}`).join(', ');
  const more = count > examples.length ? ', …' : '';
  return `${tint(kind)}  ${harmless(`${count} of ${table} (${named}${more})`)}`;
}

function withIntegers(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
