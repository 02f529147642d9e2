/** Tools about who gets what: rows, users, tests, and what a change gives away. */
import type { Draft } from '../budget.ts';
import type { ToolSchema } from '../schema.ts';
import {
  commandOutput,
  draftOf,
  fileInput,
  inputSchema,
  jsonOf,
  stringIn,
  subjectIn,
  subjectInput,
  type Tool,
  ToolFailure,
  textInput,
} from '../tool.ts';

const anyObject = { type: 'object', additionalProperties: true } as const;
const user = {
  type: 'string',
  maxLength: 1000,
  description: 'What auth.user_id() gives.',
} as const satisfies ToolSchema;
const seconds = {
  type: 'number',
  minimum: 0,
  maximum: 30,
  description: 'How long to search (default: 2).',
} as const satisfies ToolSchema;

export const explainRowTool: Tool = {
  name: 'explain_row',
  title: 'Explain Row',
  sentences:
    'Runs one row of a table through a sync config and says, query by query, to which buckets it goes or which condition excludes it. `yes`: it goes to one.',
  input: inputSchema(
    {
      ...subjectInput,
      table: { type: 'string', maxLength: 200, description: 'lists, or app.lists' },
      row: { ...anyObject, description: 'Its columns: {"id": "1", "owner_id": "ada"}' },
    },
    ['table', 'row'],
  ),
  output: commandOutput,
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const report = await judge.run(
      {
        words: ['explain', 'row'],
        options: { table: stringIn(input.table), row: jsonOf(input.row) },
        subject: subjectIn(input),
        reach: 'nothing',
      },
      signal,
    );
    return draftOf(report);
  },
};

interface Subscription {
  readonly stream: string;
  readonly parameters?: object;
}

export const previewUserTool: Tool = {
  name: 'preview_user',
  title: 'Preview as User',
  sentences:
    'What one client gets: its buckets, why, and the rows in them. Over `rows` that you give, or, with `from_service`, what the running local service sends. `yes`: there are buckets.',
  input: inputSchema({
    ...subjectInput,
    user,
    claims: { ...anyObject, description: 'Further claims of the token.' },
    parameters: { ...anyObject, description: 'Parameters of the connection.' },
    subscriptions: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        properties: { stream: { type: 'string', maxLength: 1000 }, parameters: anyObject },
        required: ['stream'],
        additionalProperties: false,
      },
      description: 'Streams that the client asks for, besides those that it has without asking.',
    },
    rows: { ...anyObject, description: 'Rows of the source by table: {"lists": [{"id": "1"}]}' },
    from_service: {
      type: 'boolean',
      description: 'Ask the local service of this workspace instead: without file, text and rows.',
    },
  }),
  output: commandOutput,
  touches: 'reads the local service',
  async run({ input, judge, signal }): Promise<Draft> {
    const isAsked = input.from_service === true;
    const subscriptions = (input.subscriptions ?? []) as readonly Subscription[];
    const report = await judge.run(
      {
        words: ['preview'],
        options: {
          user: stringIn(input.user),
          claims: jsonOf(input.claims),
          parameters: jsonOf(input.parameters),
          subscribe: subscriptions.map(({ stream, parameters }) =>
            parameters === undefined ? stream : `${stream}=${JSON.stringify(parameters)}`,
          ),
          rows: jsonOf(input.rows),
        },
        ...(!isAsked && { subject: subjectIn(input) }),
        reach: isAsked ? 'reads the local service' : 'nothing',
      },
      signal,
    );
    return draftOf(report);
  },
};

export const runAccessTestsTool: Tool = {
  name: 'run_access_tests',
  title: 'Run Access Tests',
  sentences:
    'Runs access tests (*.sync-test.yaml): who gets which rows. Without `file` all of the workspace. A failure says which row is missing or unexpected, and what decided it. `yes`: all passed.',
  input: inputSchema({
    file: { ...fileInput, description: 'Of the tests.' },
    text: textInput,
    filter: { type: 'string', maxLength: 1000, description: 'Only tests whose names hold this.' },
    coverage: {
      type: 'boolean',
      description: 'Also report which conditions were never true, or never false.',
    },
    seconds,
  }),
  output: commandOutput,
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const report = await judge.run(
      {
        words: ['test'],
        options: {
          filter: stringIn(input.filter) || undefined,
          ...(input.coverage === true && { coverage: 'text' }),
          search: input.seconds === undefined ? undefined : String(input.seconds),
        },
        subject: subjectIn(input),
        reach: 'nothing',
      },
      signal,
    );
    return draftOf(report);
  },
};

/** Beside the config; nobody writes it. */
const claimFile = 'claim-of-an-agent.sync-test.yaml';

export const findCounterexampleTool: Tool = {
  name: 'find_counterexample',
  title: 'Find Counterexample',
  sentences:
    'Searches for a row of a table that reaches a device although a condition does not hold for it: small databases are made that could break it. The condition is SQL over the row, other tables and auth.…, such as owner_id = auth.user_id(). `yes`: none was found; `lines` says among how many. Otherwise the smallest database that shows it, as an access test.',
  input: inputSchema(
    {
      file: fileInput,
      table: { type: 'string', maxLength: 200 },
      holds: { type: 'string', maxLength: 20_000, description: 'What must hold for each row on a device.' },
      seconds,
    },
    ['table', 'holds'],
  ),
  output: commandOutput,
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const file = stringIn(input.file) ?? (await judge.syncConfig());
    const [checked] = await judge.check({ file }, signal);
    if (checked?.findings.some(({ severity }) => severity === 'error'))
      throw new ToolFailure(`${file} has errors: see validate_config. What has one is not synced.`);
    const { table, holds, seconds: limit } = input;
    const test = {
      config: file,
      always: [{ name: 'what was asked', table, holds }],
    };
    const report = await judge.run(
      {
        words: ['test'],
        options: { search: limit === undefined ? undefined : String(limit) },
        // JSON is YAML, and quotes what is asked.
        subject: { file: claimFile, text: JSON.stringify(test, undefined, 2) },
        reach: 'nothing',
      },
      signal,
    );
    return draftOf(report);
  },
};

export const diffAccessTool: Tool = {
  name: 'diff_access',
  title: 'Compare Access',
  sentences:
    'Who gains and who loses rows by a change of the sync config: small databases are searched for a row that reaches a device with one config and not with the other. Compares with the file `before`, else with what the service of this workspace runs. `yes`: nobody gains or loses.',
  input: inputSchema({
    ...subjectInput,
    before: { ...fileInput, description: 'The sync config to compare with.' },
    before_text: { ...textInput, description: 'Its text, instead of a file.' },
    seconds,
  }),
  output: commandOutput,
  touches: 'reads the target',
  async run({ input, judge, signal }): Promise<Draft> {
    const beforeText = stringIn(input.before_text);
    const before = stringIn(input.before) ?? (beforeText === undefined ? undefined : draftName);
    const report = await judge.run(
      {
        words: ['diff'],
        options: {
          access: true,
          before,
          search: input.seconds === undefined ? undefined : String(input.seconds),
        },
        subject: subjectIn(input),
        ...(before !== undefined && beforeText !== undefined && { drafts: { [before]: beforeText } }),
        reach: before === undefined ? 'reads the target' : 'nothing',
      },
      signal,
    );
    return draftOf(report);
  },
};

/** Nobody writes it. */
const draftName = 'before-of-an-agent.yaml';
