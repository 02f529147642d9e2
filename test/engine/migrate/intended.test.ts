/** Definitions that only streams can express are migrated to the intended streams. */
import { describe, expect, test } from 'vitest';
import { analyze, severityOf } from '../../../server/engine/index.ts';
import { intendedStream } from '../../../server/engine/migrate/intended.ts';
import { migrateToStreams } from '../../../server/engine/migrate/migrate.ts';
import { collectRefusals } from '../../../server/engine/migrate/refusals.ts';
import { streamLines } from '../../../server/engine/migrate/yamlText.ts';
import { reachedRows, readRecorded } from '../../support/engine/evaluation.ts';
import { type Example, readExamples } from '../../support/engine/examples.ts';
import { plansOf } from '../../support/engine/plans.ts';

const definition = (lines: string) => `config: { edition: 2 }\nbucket_definitions:\n  mine:\n${lines}\n`;

/** Returns the CTEs and queries of the stream, each on one line. */
function streamOf(text: string): readonly string[] {
  const migration = migrateToStreams(text);
  if (migration.kind !== 'migrated') throw new Error(JSON.stringify(migration));
  const { config } = analyze(migration.text, { kind: 'sync' });
  const [stream] = config?.definitions ?? [];
  if (stream?.definition.kind !== 'stream') throw new Error(migration.text);
  const { ctes, queries } = stream.definition;
  return [
    ...ctes.map(({ name, query }) => `${name}: ${query.sql.text}`),
    ...queries.map(({ sql }) => sql.text),
  ].map((line) =>
    line
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\( | \)/g, (found) => found.trim())
      .trim(),
  );
}

test.each([
  [
    'a subquery of a parameter query is nested',
    `    parameters: SELECT project_id FROM members WHERE team_id IN (SELECT id FROM teams WHERE lead = request.user_id())
    data: [SELECT * FROM tasks WHERE project_id = bucket.project_id]`,
    [
      'SELECT * FROM tasks WHERE project_id IN (SELECT project_id FROM members WHERE team_id IN (SELECT id FROM teams WHERE lead = auth.user_id()))',
    ],
  ],
  [
    'several parameters of one row are joined, and columns get the name of their table',
    `    parameters: SELECT m.team_id, m.role FROM members m JOIN users u ON u.id = m.user_id WHERE u.mail = token_parameters.email
    data:
      - SELECT id, title AS "Title" FROM tasks WHERE team_id = bucket.team_id AND role = bucket.role
      - SELECT l.* FROM lists l WHERE l.team_id = bucket.team_id AND bucket.role = l.role`,
    [
      "params: SELECT m.team_id, m.role FROM members m JOIN users u ON u.id = m.user_id WHERE u.mail = auth.parameter('email')",
      'SELECT tasks.id, tasks.title AS "Title" FROM tasks, params WHERE tasks.team_id = params.team_id AND tasks.role = params.role',
      'SELECT l.* FROM lists l, params WHERE l.team_id = params.team_id AND params.role = l.role',
    ],
  ],
  [
    'a condition on the request is kept next to an OR, and values of the request are written where they are used',
    `    parameters: SELECT request.jwt() ->> 'org' AS org WHERE request.jwt() ->> 'role' = 'admin'
    data:
      - SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id WHERE lists.org = bucket.org OR tasks.open = 1
      - SELECT * FROM lists WHERE org = bucket.org`,
    [
      "SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id WHERE (lists.org = auth.parameter('org') OR tasks.open = 1) AND auth.parameter('role') = 'admin'",
      "SELECT * FROM lists WHERE org = auth.parameter('org') AND auth.parameter('role') = 'admin'",
    ],
  ],
  [
    'each parameter query has its own queries, and a shared subquery is written once',
    `    parameters:
      - SELECT l.id AS list FROM lists l JOIN teams t ON t.id = l.team_id WHERE t.lead = request.user_id()
      - SELECT id AS list FROM lists WHERE owner = request.user_id() -- their own
    data:
      - SELECT * FROM tasks WHERE list_id = bucket.list
      - SELECT * FROM notes WHERE bucket.list IN list_ids`,
    [
      'lists_list: SELECT l.id AS list FROM lists l JOIN teams t ON t.id = l.team_id WHERE t.lead = auth.user_id()',
      'lists_list_2: SELECT id AS list FROM lists WHERE owner = auth.user_id()',
      'SELECT * FROM tasks WHERE list_id IN lists_list',
      'SELECT * FROM notes WHERE list_ids && lists_list',
      'SELECT * FROM tasks WHERE list_id IN lists_list_2',
      'SELECT * FROM notes WHERE list_ids && lists_list_2',
    ],
  ],
])('%s', (_, lines, expected) => {
  expect(streamOf(definition(lines))).toEqual(expected);
});

test.each([
  [
    'a priority that depends on a row',
    `    parameters: SELECT m.team, 1 AS _priority FROM members m JOIN users u ON u.id = m.user_id WHERE u.id = request.user_id()
    data: [SELECT * FROM tasks WHERE team = bucket.team]`,
  ],
  [
    'columns of joined tables without the name of their table',
    `    parameters: SELECT team, role FROM members WHERE user_id = request.user_id()
    data: [SELECT tasks.* FROM tasks JOIN lists ON lists.id = list_id WHERE team = bucket.team AND lists.role = bucket.role]`,
  ],
  [
    'a data query without a condition on the rows of the parameter query',
    `    parameters: SELECT team FROM members JOIN users ON users.id = members.user_id WHERE users.id = request.user_id()
    data: [SELECT * FROM tasks]`,
  ],
  [
    'a data query without a condition on the user',
    `    parameters: SELECT request.user_id() AS me
    data: [SELECT tasks.* FROM tasks JOIN lists ON lists.id = tasks.list_id]`,
  ],
  [
    'a parameter query without a column',
    `    parameters: SELECT FROM members JOIN users ON users.id = members.user_id WHERE users.id = request.user_id()
    data: [SELECT * FROM tasks]`,
  ],
  [
    'a parameter that must not be in a list',
    `    parameters: SELECT team FROM members JOIN users ON users.id = members.user_id WHERE users.id = request.user_id()
    data: [SELECT * FROM tasks WHERE bucket.team NOT IN teams]`,
  ],
  [
    'a parameter that is not compared',
    `    parameters: SELECT team FROM members JOIN users ON users.id = members.user_id WHERE users.id = request.user_id()
    data: [SELECT * FROM tasks WHERE team || 'x' = bucket.team || 'x']`,
  ],
])('%s is refused', (_, lines) => {
  expect(migrateToStreams(definition(lines))).toMatchObject({
    kind: 'refused',
    reasons: [{ sentence: expect.stringMatching(/^`mine` cannot be migrated\. /) }],
  });
});

test('an error of another kind comes first, even beside a join', () => {
  const text = `${definition('    data:\n      - SELECT tasks.* FROM tasks, lists')}  other:\n    data: [SELECT id FRM tasks]\n`;
  expect(migrateToStreams(text)).toMatchObject({
    kind: 'refused',
    reasons: [
      { sentence: 'The file has an error that must be fixed first: Unexpected `FRM`. Did you mean FROM?' },
    ],
  });
});

/** The examples in which not only the text of the queries matters, with the reason. */
const others = new Map([
  ['f01-global-bucket', '`*` leaves out hidden columns before edition 3'],
  ['f06-no-columns', 'is refused'],
  ['f10-bucket-in-row-array', 'a token whose user id is `true` meets a list that holds `true`'],
  ['f15-priorities', 'is refused'],
]);

/** Valid definitions have a plan, so the rewritten text must return the same rows as that plan. */
describe('a valid definition whose text is rewritten returns the same rows', () => {
  const valid = readExamples().filter(({ text, defaultSchema }) => {
    const { config, findings } = analyze(text, { kind: 'sync', defaultSchema });
    const isValid = !findings.some(({ code }) => severityOf(code) === 'error');
    const isOfBuckets = config?.definitions.every(({ definition: { kind } }) => kind === 'bucket-definition');
    return isValid && isOfBuckets && migrateToStreams(text).kind === 'migrated';
  });

  test.each(valid.filter(({ name }) => !others.has(name)))(
    '$name',
    ({ name, text, defaultSchema }: Example) => {
      const rewritten = rewrite(text, defaultSchema);
      const recorded = readRecorded(name);
      const rowsOf = (config: string) => {
        const { plans, options } = plansOf(config, defaultSchema);
        return reachedRows(recorded, plans, options);
      };
      expect(rowsOf(rewritten)).toEqual(rowsOf(text));
    },
  );
});

function rewrite(text: string, defaultSchema = 'public'): string {
  const migration = migrateToStreams(text, { defaultSchema });
  const { config } = analyze(text, { kind: 'sync', defaultSchema });
  if (migration.kind !== 'migrated' || !config) throw new Error(JSON.stringify(migration));
  const refusals = collectRefusals();
  const names = { ...refusals, table: '', wholeKeys: true, elements: [] };
  const streams = config.definitions.flatMap(({ definition: each }) =>
    each.kind === 'bucket-definition' ? streamLines(each.name, intendedStream(each, names)) : [],
  );
  if (refusals.reasons.length > 0) throw new Error(refusals.reasons.join('\n'));
  return `${migration.text.slice(0, migration.text.indexOf('streams:'))}streams:\n${streams.join('\n')}\n`;
}
