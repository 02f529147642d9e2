/** Tools about access: rows, users, access tests, and the rows that a change exposes. */
import type { Draft } from '../budget.ts';
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
import type { ToolSchema } from '../toolSchema.ts';

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

interface Subscription {
  readonly stream: string;
  readonly parameters?: object;
}

/** The inputs that describe the client of a question, and the source rows for the answer. */
const clientInput = {
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
} as const;

function clientOptions(input: Parameters<Tool['run']>[0]['input']) {
  const subscriptions = (input.subscriptions ?? []) as readonly Subscription[];
  return {
    user: stringIn(input.user),
    claims: jsonOf(input.claims),
    parameters: jsonOf(input.parameters),
    subscribe: subscriptions.map(({ stream, parameters }) =>
      parameters === undefined ? stream : `${stream}=${JSON.stringify(parameters)}`,
    ),
    rows: jsonOf(input.rows),
  };
}

export const explainRowTool: Tool = {
  name: 'explain_row',
  title: 'Explain Row',
  sentences:
    'Runs one row of a table through a sync config and says, query by query, to which buckets it goes or which condition excludes it. With `user`, it judges each condition for this user. `yes`: it goes to one, or the user gets it.',
  input: inputSchema(
    {
      ...subjectInput,
      table: { type: 'string', maxLength: 200, description: 'lists, or app.lists' },
      row: { ...anyObject, description: 'Its columns: {"id": "1", "owner_id": "ada"}' },
      ...clientInput,
    },
    ['table', 'row'],
  ),
  output: commandOutput,
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const report = await judge.run(
      {
        words: ['explain', 'row'],
        options: { table: stringIn(input.table), row: jsonOf(input.row), ...clientOptions(input) },
        subject: subjectIn(input),
        reach: 'nothing',
      },
      signal,
    );
    return draftOf(report);
  },
};

export const previewUserTool: Tool = {
  name: 'preview_user',
  title: 'Preview as User',
  sentences:
    'What one client gets: its buckets, why, and the rows in them. Over `rows` that you give, or, with `from_service`, what the running local service sends. `yes`: there are buckets.',
  input: inputSchema({
    ...subjectInput,
    ...clientInput,
    from_service: {
      type: 'boolean',
      description: 'Ask the local service of this workspace instead: without file, text and rows.',
    },
  }),
  output: commandOutput,
  touches: 'reads the local service',
  async run({ input, judge, signal }): Promise<Draft> {
    const isAsked = input.from_service === true;
    const report = await judge.run(
      {
        words: ['preview'],
        options: clientOptions(input),
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

/** The name of a file next to the config. The file exists only in memory. */
const claimFile = 'claim-of-an-agent.sync-test.yaml';
const textName = 'text-of-an-agent.yaml';

export const findCounterexampleTool: Tool = {
  name: 'find_counterexample',
  title: 'Find Counterexample',
  sentences:
    'Searches for a row of a table that reaches a device although a condition does not hold for it: small databases are made that could break it. The condition is SQL over the row, other tables and auth.…, such as owner_id = auth.user_id(). `yes`: it is proven that there is none. Otherwise `lines` has the smallest database that shows one, as an access test, or says that none was found and why that is no proof (`Not proven`).',
  input: inputSchema(
    {
      ...subjectInput,
      table: { type: 'string', maxLength: 200 },
      holds: { type: 'string', maxLength: 20_000, description: 'What must hold for each row on a device.' },
      seconds,
    },
    ['table', 'holds'],
  ),
  output: commandOutput,
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const text = stringIn(input.text);
    const file = stringIn(input.file) ?? (text === undefined ? await judge.syncConfig() : textName);
    const [checked] = await judge.check({ file, text }, signal);
    if (checked?.findings.some(({ severity }) => severity === 'error')) {
      const what = text === undefined ? file : 'The text';
      throw new ToolFailure(`${what} has errors: see validate_config. What has one is not synced.`);
    }
    const { table, holds, seconds: limit } = input;
    const test = {
      config: file,
      always: [{ name: 'what was asked', table, holds }],
    };
    const report = await judge.run(
      {
        words: ['test'],
        options: { search: limit === undefined ? undefined : String(limit), require: 'proven' },
        // JSON is also YAML, and its quotes keep the question in one value.
        subject: { file: claimFile, text: JSON.stringify(test, undefined, 2) },
        ...(text !== undefined && { drafts: { [file]: text } }),
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
    'Who gains and who loses rows or columns by a change of the sync config: small databases are searched for a row that reaches a device with one config and not with the other. Compares with the file `before`, else with what the service of this workspace runs. `yes`: it is proven that nobody gains or loses anything. Otherwise `lines` has the changes, or says why nothing is proven.',
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
          require: 'proven',
          search: input.seconds === undefined ? undefined : String(input.seconds),
        },
        subject: subjectIn(input),
        ...(before !== undefined && beforeText !== undefined && { drafts: { [before]: beforeText } }),
        reach: before === undefined ? 'reads the target' : 'nothing',
      },
      signal,
    );
    if (before === undefined && report.code === 2)
      throw new ToolFailure(
        ['Give the config to compare with as `before` or `before_text`.', ...report.remarks].join('\n'),
      );
    return draftOf(report);
  },
};

/** The name of a file that exists only in memory. */
const draftName = 'before-of-an-agent.yaml';
