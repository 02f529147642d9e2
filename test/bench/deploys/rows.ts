/** Ten large tables with one stream for each table. In each stream, every project has one bucket. */

export const tableCount = 10;
/** The number of rows of a project in each table. */
const rowsOfProject = 500;

export const tableNames = Array.from({ length: tableCount }, (_, index) => `items_${index + 1}`);

/** Users with their own projects, whose apps get the rows of all ten streams. */
export const people = ['p0', 'p1', 'p2'] as const;
/** The user who gets only their own `notes`. */
export const watcher = 'watcher';

/** The number of `notes` that change all the time and that no client downloads. */
export const noteCount = 10_000;

/**
 * Returns the SQL that creates the tables. A row has about 200 bytes as JSON. Keys are in no particular order, as in apps,
 * and can be computed from a number.
 *
 * @param total the number of rows in all tables together
 */
export function tablesOf(total: number): string {
  const rows = Math.ceil(total / tableCount);
  const projects = Math.max(people.length, Math.ceil(rows / rowsOfProject));
  const items = tableNames.map(
    (
      name,
    ) => `CREATE TABLE ${name} AS SELECT ${keyOf(name, 'n')} AS id, 'project-' || n % ${projects} AS project,
      'A title of some thirty letters ' || n AS title, n % 2 = 0 AS done, now() AS created_at
      FROM generate_series(1, ${rows}) n;
    ALTER TABLE ${name} ADD PRIMARY KEY (id);`,
  );
  return `${items.join('\n')}
    CREATE TABLE members (id text PRIMARY KEY, project text, person text);
    INSERT INTO members SELECT 'm' || n, 'project-' || n, 'p' || n FROM generate_series(0, ${projects - 1}) n;
    CREATE TABLE notes (id text PRIMARY KEY, owner text, body text);
    INSERT INTO notes SELECT 'n' || n, 'owner-' || n % 100, repeat('note ', 20) FROM generate_series(1, ${noteCount}) n;
    INSERT INTO notes SELECT p, p, '' FROM unnest(ARRAY['${[...people, watcher].join("','")}']) p`;
}

/** @param n a SQL expression */
export function keyOf(table: string, n: string): string {
  return `md5('${table}' || ${n})::uuid`;
}

const notes = `  notes:
    auto_subscribe: true
    query: SELECT id, owner, body FROM notes WHERE owner = auth.user_id()
`;

export const itemStreams: readonly string[] = tableNames.map(
  (name) => `  ${name}:
    auto_subscribe: true
    with:
      own: SELECT project FROM members WHERE person = auth.user_id()
    query: SELECT * FROM ${name} WHERE project IN own
`,
);

/** Returns a config with the stream `notes` and these streams, which the service copies while it serves `notes`. */
export const configOf = (streams: readonly string[]): string =>
  `config:\n  edition: 3\nstreams:\n${notes}${streams.join('')}`;
