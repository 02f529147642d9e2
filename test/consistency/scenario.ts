/** The tables, the config, and the rows that each user must get from it, computed without the service's code. */

export const ddl = `
CREATE TABLE version (id text PRIMARY KEY, n bigint NOT NULL);
INSERT INTO version VALUES ('v', 0);
-- Tells whether a commit whose answer was lost has happened. Not synced.
CREATE TABLE journal (n bigint PRIMARY KEY, transaction text NOT NULL);
CREATE TABLE accounts (id text PRIMARY KEY, owner text NOT NULL, balance bigint NOT NULL);
CREATE TYPE mood AS ENUM ('calm', 'wild');
CREATE TABLE lists (id text PRIMARY KEY, title text NOT NULL, note text DEFAULT 'x');
CREATE TABLE members (id text PRIMARY KEY, list_id text NOT NULL, user_id text NOT NULL);
CREATE TABLE items (id text PRIMARY KEY, list_id text NOT NULL, title text NOT NULL, body text NOT NULL);
-- Long bodies are kept apart, so that updates of a title do not send them.
ALTER TABLE items ALTER COLUMN body SET STORAGE EXTERNAL;
`;

/** The published tables: all but the journal. */
export const published = 'version, accounts, lists, members, items';

/**
 * Returns the config of a revision. The revisions are deploys of all kinds, in turn: a stream changes; only a comment and the order
 * of the streams change; a stream is removed; a stream with large values changes while the removed one returns; a stream gets
 * another name, and then its former name again; an option changes, which requires a copy of everything. The notes show which config
 * serves a client.
 */
export function configOf(revision: number): string {
  const step = steps[(revision - 1) % steps.length];
  const since = (name: (typeof steps)[number]) =>
    Math.floor((revision - 1 - steps.indexOf(name) + steps.length) / steps.length);
  const streams = [
    ['version', 'SELECT * FROM version'],
    ['mine', 'SELECT * FROM accounts WHERE owner = auth.user_id()'],
    ['lists', `SELECT * FROM lists WHERE id IN (${listsOfUser})`],
    [
      step === 'renamed' ? 'things' : 'items',
      `SELECT * FROM items WHERE list_id IN (${listsOfUser}) AND title <> 'never ${since('changed')}'`,
    ],
    ...(step === 'taken away'
      ? []
      : [
          [
            'notes',
            `SELECT id, title, '${markOf(revision)}' AS mark FROM lists AS notes WHERE id IN (${listsOfUser})`,
          ],
        ]),
  ].map(([name, query]) => `  ${name}:\n    auto_subscribe: true\n    query: ${query}\n`);
  return `# revision ${revision}
config:
  edition: 3
  timestamps_iso8601: ${since('whole') % 2 === 0}
streams:
${(step === 'turned' ? streams.toReversed() : streams).join('')}`;
}

const steps = ['copied', 'turned', 'taken away', 'changed', 'renamed', 'back', 'whole'] as const;

export const deployKinds = steps.length;

const listsOfUser = 'SELECT list_id FROM members WHERE user_id = auth.user_id()';

function markOf(revision: number): string {
  return `copy ${Math.ceil(revision / steps.length)}`;
}

/** Returns the mark that the notes of a config show; undefined if the config has no notes. */
export function markIn(content: string): string | undefined {
  return /'(copy \d+)' AS mark/.exec(content)?.[1];
}

export const users = ['ada', 'ben', 'cleo', 'dan'] as const;
export const listIds = ['l0', 'l1', 'l2', 'l3', 'l4', 'l5'] as const;
export const accountIds = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'] as const;

export type TableName = 'accounts' | 'lists' | 'members' | 'items';
export type Row = { readonly id: string } & Readonly<Record<string, string | number | null>>;
export type State = Readonly<Record<TableName, Map<string, Row>>>;

export function emptyState(): State {
  return { accounts: new Map(), lists: new Map(), members: new Map(), items: new Map() };
}

/** Returns the rows that a user's client must show: `table/id` → the row as text. Notes have the mark of the config. */
export function expectedFor(user: string, version: number, state: State, mark?: string): Map<string, string> {
  const shown = new Map([['version/v', textOf({ id: 'v', n: version })]]);
  const listed = new Set<string>();
  for (const { list_id, user_id } of state.members.values())
    if (user_id === user) listed.add(String(list_id));
  for (const row of state.accounts.values())
    if (row.owner === user) shown.set(`accounts/${row.id}`, textOf(row));
  for (const row of state.lists.values()) {
    if (!listed.has(row.id)) continue;
    shown.set(`lists/${row.id}`, textOf(row));
    if (mark !== undefined) shown.set(`notes/${row.id}`, textOf({ id: row.id, title: row.title, mark }));
  }
  for (const row of state.items.values()) {
    if (listed.has(String(row.list_id))) shown.set(`items/${row.id}`, textOf(row));
  }
  return shown;
}

/** Returns the mark of the notes among the rows; undefined if there are no notes. */
export function markShown(rows: ReadonlyMap<string, string>): string | undefined {
  for (const [key, text] of rows) if (key.startsWith('notes/')) return /"mark","(copy \d+)"/.exec(text)?.[1];
  return undefined;
}

/** Returns the same text for equal rows, whatever the order of their columns. To an app, a missing value equals NULL. */
export function textOf(row: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(row).filter(([, value]) => value !== null);
  return JSON.stringify(values.sort(([a], [b]) => (a < b ? -1 : 1)));
}
