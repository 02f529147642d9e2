/** The given rows that users gain and lose: rows of a file of access tests, or of the source of a running service. */
import {
  type Config,
  compareRows,
  type Finding,
  type RowDifference,
  readTests,
  severityOf,
  type TestedRow,
  type TestFile,
  type UserRows,
} from '../../../server/engine/index.ts';
import type { Api } from '../../api/api.ts';
import { harmless, type Paint } from '../colours.ts';
import type { Answer } from '../command.ts';
import { CliFailure } from '../failure.ts';
import type { Progress } from '../progress.ts';
import { sourceOf } from '../project/missing.ts';
import { readText } from '../read.ts';
import type { SchemaLookup } from '../schemaLookup.ts';
import { loadTests } from '../test/load.ts';
import type { World } from '../world.ts';
import { connectedUsers, readServiceRows, unknownOfConnected } from './serviceRows.ts';

/** The word for the source of the service, as in `--schema`. */
export const rowsOfService = 'service';

interface RowsQuestion {
  readonly before: Config;
  readonly after: Config;
  /** A file of access tests, or {@link rowsOfService}. */
  readonly rows: string;
  /** A file with users. Undefined: the users in the file with the rows. */
  readonly users: string | 'connected' | undefined;
  /** Absent if no service is needed. */
  readonly api: Api | undefined;
  readonly lookup: SchemaLookup;
}

interface Surroundings {
  readonly world: World;
  readonly progress: Progress;
  readonly paint: Paint;
}

export async function rowsAnswer(question: RowsQuestion, around: Surroundings): Promise<Answer> {
  const { before, after } = question;
  const named = await namedUsers(question, around.world);
  const { rows, notes, users } = await rowsOf(question, named, around);
  around.progress.end();
  const changes = compareRows(before, after, rows, users);
  const among = `among ${rows.length} ${rows.length === 1 ? 'row' : 'rows'} and ${users.length} ${users.length === 1 ? 'user' : 'users'}`;
  const unknown = question.users === 'connected' ? unknownOfConnected([before, after]) : [];
  const allNotes = [
    ...notes,
    ...(unknown.length === 0
      ? []
      : [
          `Services do not report ${unknown.join(' and ')} of connected clients, so the users were compared without these values. Specify users with these values in a file: --users FILE.`,
        ]),
  ];
  return {
    code: changes.length === 0 ? 0 : 1,
    json: { rows: rows.length, users: users.length, changes, notes: allNotes },
    lines: [
      ...(changes.length === 0
        ? [`No user gains or loses a row, ${among}.`]
        : changes.map((change) => `${lineOf(change, around.paint)}, ${among}`)),
      ...allNotes.map((note) => around.paint.yellow(`Note: ${harmless(note)}`)),
    ],
  };
}

interface GivenRows {
  readonly rows: readonly TestedRow[];
  readonly notes: readonly string[];
  readonly users: readonly UserRows[];
}

/** @param named the file with the users; undefined: the users in the file with the rows */
async function rowsOf(
  { before, after, rows, api, lookup }: RowsQuestion,
  named: readonly UserRows[] | undefined,
  { world, progress }: Surroundings,
): Promise<GivenRows> {
  if (rows !== rowsOfService || api === undefined) {
    const loaded = await loadTests(rows, world, lookup);
    refuseErrors(rows, loaded.findings);
    const written = loaded.file.rows.map(({ table, id, values }) => ({ table: table.value, id, values }));
    const users = named ?? usersIn(loaded.file);
    if (users.length === 0) throw new CliFailure(withoutUsers);
    return { rows: [...loaded.seeds, ...written], notes: [], users };
  }
  if (named === undefined) throw new CliFailure(whoseRows);
  const source = await sourceOf(api, world);
  if (source === undefined)
    throw new CliFailure('The service does not report the tables of its source, so its rows cannot be read.');
  const read = await readServiceRows(api, [before, after], source, { signal: world.signal, progress });
  return { ...read, users: named };
}

const whoseRows =
  'No users specified. Specify an access test file with users (--users FILE), or use the connected users (--connected).';

const withoutUsers =
  'The file with the rows has no users. Add them under `users:`, or specify another file: --users FILE.';

async function namedUsers(
  { users, api }: RowsQuestion,
  world: World,
): Promise<readonly UserRows[] | undefined> {
  if (users === undefined) return undefined;
  if (users !== 'connected' || api === undefined) return usersInFile(users, world);
  const connected = await connectedUsers(api, world.signal);
  if (connected.length > 0) return connected;
  throw new CliFailure('No users are connected to the service. Specify users in a file: --users FILE.');
}

async function usersInFile(path: string, { files }: World): Promise<readonly UserRows[]> {
  const { file, findings } = readTests(await readText(path, files));
  refuseErrors(path, findings);
  const users = usersIn(file);
  if (users.length > 0) return users;
  throw new CliFailure(`${path} has no users. Add them under \`users:\`, as in an access test file.`);
}

/** Throws if a file has errors, because rows or users that cannot be read would be missing silently. */
function refuseErrors(path: string, findings: readonly Finding[]): void {
  if (findings.some(({ code }) => severityOf(code) === 'error'))
    throw new CliFailure(`${path} has errors. Run headwater test ${path} to see them.`);
}

/** Returns the users of a file. Each user has all subscriptions of all tests. */
function usersIn({ users, tests }: TestFile): readonly UserRows[] {
  const asked = tests.flatMap(({ subscriptions }) =>
    subscriptions.map(({ stream, parameters }) => ({ stream: stream.value, parameters })),
  );
  const subscriptions = [
    ...new Map(asked.map((each) => [JSON.stringify(each, withIntegers), each])).values(),
  ];
  return users.map(({ name, claims, parameters }) => ({
    user: name.value,
    asking: { claims, parameters, subscriptions },
  }));
}

function lineOf({ kind, stream, table, count, examples }: RowDifference, paint: Paint): string {
  const tint = kind === 'gained' ? paint.red : paint.yellow;
  const named = examples.map(({ user, id }) => `${user} ${id}`).join(', ');
  const more = count > examples.length ? ', …' : '';
  return `${tint(kind)}  ${harmless(`${count} of ${table} through the stream ${stream} (${named}${more})`)}`;
}

function withIntegers(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}
