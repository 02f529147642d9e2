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
    '## What is written instead of functions of other databases',
    listOf(alternatives()),
    '## What is refused, or leaks rows',
    'Each is a code; `explain_code` has its page, with a wrong and a right example.',
    listOf(listRefused()),
  )}\n`;
}

const introduction = `# Sync configs

A sync config says which rows of a PostgreSQL database reach which client. It is YAML, usually sync.yaml:

\`\`\`yaml
config:
  edition: 3        # always, in a new config
streams:
  lists:            # the app subscribes to a stream by its name
    auto_subscribe: true      # clients need not subscribe to it
    query: SELECT * FROM lists WHERE owner_id = auth.user_id()
  todos:
    priority: 1     # 0 to 3; 3 unless written; what is lower comes first
    with:           # named subqueries, for this stream; a top-level \`with\` is for all
      mine: SELECT id FROM lists WHERE owner_id = auth.user_id()
    query: |
      SELECT * FROM todos
      WHERE list_id IN (SELECT id FROM mine) AND list_id = subscription.parameter('list_id')
  shared:
    queries:        # several, in one stream
      - SELECT id, name FROM plans
      - SELECT users.* FROM users JOIN members ON members.user_id = users.id WHERE members.org_id = auth.parameter('org_id')
\`\`\`

A query chooses whole rows of one table; the other tables, in JOINs and in subqueries behind IN, only decide who gets them.
- A column is compared with a value of the request by \`=\` or IN, and the parts are joined by AND; OR works where each side
  stands alone. What is compared becomes the name of a bucket; all clients with the same values share it.
- A row needs a column \`id\`, or one that is selected AS id, as text. \`SELECT *\` takes all columns.
- An alias of the table is its name on the device: give it none, and write whole names.
- There is no ORDER BY, LIMIT, GROUP BY, aggregate, window or clock: rows are chosen when they change, not when they are read.
- EXISTS is written as IN or as a JOIN: \`list_id IN (SELECT list_id FROM members WHERE user_id = auth.user_id())\`.
- NOT IN (SELECT …) has no other form, because rows cannot be chosen by the absence of others: keep a column that says it.
- now() and intervals have none either, because a row is not looked at again when time passes: keep a column such as
  \`is_recent\`, or let the client filter.
- CASE is allowed in conditions and in the output: \`CASE WHEN done = 1 THEN 'yes' ELSE 'no' END AS state\`.
- LIKE is not: a prefix is \`substring(path, 1, 7) = 'public/'\`. COUNT and other aggregates are for the client.
- Filter by what the token proves (auth.…). What the client chooses (subscription.…, connection.…) may only narrow that
  down: without a signed value beside it, everybody can ask for everything.
- Tables of another schema are written schema.table, names in upper case in double quotes.
- Editions 1 and 2 have \`bucket_definitions\` with \`parameters\` and \`data\` instead of streams; \`migrate_config\` turns them
  into streams. The two kinds are not mixed in one file.`;

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
