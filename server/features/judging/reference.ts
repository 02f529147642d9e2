/**
 * A one-page reference of the sync config language, for authors who have never written one. Its functions and rules come from their
 * tables.
 */
import { type Code, codeGroups, severityOf, titleOf } from '../../engine/diagnostics/diagnostics.ts';
import {
  functionAlternatives,
  functions,
  metadataFunctions,
  requestFunctions,
  tableFunctions,
} from '../../engine/sql/functions.ts';
import { paragraphs } from '../explain/explainFunctions.ts';

export function languageReference(): string {
  return `${paragraphs(
    introduction,
    '## Values of the request',
    listOf(
      requestFunctions
        .filter(({ scope }) => scope === 'streams')
        .map(
          ({ signature, doc, clientControlled }) =>
            `\`${signature}\`: ${doc} ${clientControlled ? 'Proves nothing about the user.' : 'Signed with the token.'}`,
        ),
    ),
    '## Functions of values',
    listOf([
      ...[...functions.values()]
        .filter(({ only }) => only !== 'before 3')
        .map(({ signature, doc }) => `\`${signature}\`: ${doc}`),
      ...[...tableFunctions.values(), ...metadataFunctions.values()].map(
        ({ signature, doc, example }) => `\`${signature}\`: ${doc} \`${example}\``,
      ),
    ]),
    '## Replacements for functions of other databases',
    listOf(alternatives()),
    '## Problems: configs that are refused, or that leak rows',
    'Each problem has a code. `explain_code` returns its page, with a wrong and a right example.',
    listOf(listRefused()),
  )}\n`;
}

const introduction = `# Sync configs

A sync config is a YAML file, usually sync.yaml, that defines which clients get which rows of a PostgreSQL database:

\`\`\`yaml
config:
  edition: 3        # always 3 in a new config
streams:
  lists:            # the app subscribes to a stream by its name
    auto_subscribe: true      # clients get it without a subscription
    query: SELECT * FROM lists WHERE owner_id = auth.user_id()
  todos:
    priority: 1     # 0 to 3, default 3; lower numbers are synced first
    with:           # named subqueries of this stream; a top-level \`with\` is for all streams
      mine: SELECT id FROM lists WHERE owner_id = auth.user_id()
    query: |
      SELECT * FROM todos
      WHERE list_id IN (SELECT id FROM mine) AND list_id = subscription.parameter('list_id')
  shared:
    queries:        # several queries in one stream
      - SELECT id, name FROM plans
      - SELECT users.* FROM users JOIN members ON members.user_id = users.id WHERE members.org_id = auth.parameter('org_id')
\`\`\`

A query selects rows of one table. Other tables, in JOINs and in subqueries after IN, only determine which clients get these rows.
- Compare columns with values of the request by \`=\` or IN, and combine conditions with AND. OR is possible if each side is a
  complete condition. The compared values become the name of a bucket, which all clients with the same values share.
- Each row needs a text column \`id\`, or a text column that is selected AS id. \`SELECT *\` selects all columns.
- An alias of the synced table becomes its name on the device, so do not use an alias. Write the full name of the table.
- There is no ORDER BY, LIMIT, GROUP BY, aggregate, window or clock: rows are selected when they change, not when they are read.
- Write EXISTS as IN or as a JOIN: \`list_id IN (SELECT list_id FROM members WHERE user_id = auth.user_id())\`.
- NOT IN (SELECT …) cannot be replaced, because the absence of other rows cannot select a row. Store the fact in a column.
- now() and intervals cannot be replaced, because a row is not evaluated again when time passes. Store the fact in a column such
  as \`is_recent\`, or let the client filter.
- CASE is allowed in conditions and in the output: \`CASE WHEN done = 1 THEN 'yes' ELSE 'no' END AS state\`.
- LIKE is not supported. For a prefix, write \`substring(path, 1, 7) = 'public/'\`. Compute COUNT and other aggregates in the client.
- Filter by values that the token proves (auth.…). Use values that the client chooses (subscription.…, connection.…) only to narrow
  this down further. Without a condition on a signed value, every client can request all rows.
- Write tables of another schema as schema.table. Put names with upper-case letters in double quotes.
- Editions 1 and 2 have \`bucket_definitions\` with \`parameters\` and \`data\` instead of streams. \`migrate_config\` converts
  them to streams. One file cannot contain both kinds.`;

/** The codes in the order of docs/RULES.md. */
export const codesInOrder: readonly Code[] = [...codeGroups.values()].flat();

function listOf(rows: readonly string[]): string {
  return rows.map((row) => `- ${row}`).join('\n');
}

/** Groups alternatives by their text, because many functions share the same one. */
function alternatives(): readonly string[] {
  const byAnswer = new Map<string, string[]>();
  for (const [name, answer] of functionAlternatives)
    byAnswer.set(answer, [...(byAnswer.get(answer) ?? []), name]);
  return [...byAnswer].map(([answer, names]) => `${names.join(', ')}: ${answer}`);
}

/** The reference is for sync configs of edition 3. Text for other files is looked up when it is needed. */
const elsewhere =
  /^(?:Legacy|Streams of edition 2|The structure of a service|Values from the env|What a service config|Access tests|YAML|Events)/;

function listRefused(): readonly string[] {
  return [...codeGroups]
    .filter(([title]) => !elsewhere.test(title))
    .flatMap(([, codes]) => codes.filter((code) => severityOf(code) !== 'hint'))
    .map((code) => `${code}: ${titleOf(code)}`);
}
