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
  description: 'The value of auth.user_id().',
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
  claims: { ...anyObject, description: 'Additional claims of the token.' },
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
    description:
      'Streams that the client subscribes to, in addition to those with an automatic subscription.',
  },
  rows: {
    ...anyObject,
    description:
      'Rows of the source by table, with an empty list for a table without rows: {"lists": [{"id": "1"}]}',
  },
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
  purpose: 'Explains who gets a row, or which condition excludes it.',
  icon: 'search',
  sentences:
    'Evaluates one row of a table against a sync config and reports, query by query, which buckets the row goes to or which condition excludes it. With `user`, it checks each condition for this user. `yes`: the row goes to a bucket, or the user gets it.',
  input: inputSchema(
    {
      ...subjectInput,
      table: {
        type: 'string',
        maxLength: 200,
        description: 'The table of the row, for example lists or app.lists',
      },
      row: { ...anyObject, description: 'The columns of the row: {"id": "1", "owner_id": "ada"}' },
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
  purpose: 'Shows the buckets and rows of one user.',
  icon: 'eye',
  sentences:
    'Shows which buckets one client gets and why, and the rows in them: from the `rows` that you provide or, with `from_service`, from the running local service. `yes`: the client gets buckets.',
  input: inputSchema({
    ...subjectInput,
    ...clientInput,
    from_service: {
      type: 'boolean',
      description: 'Get the rows from the local service of this workspace. Omit file, text and rows.',
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
  purpose: 'Runs the access tests of the workspace.',
  icon: 'beaker',
  sentences:
    'Runs access tests (*.sync-test.yaml), which define who gets which rows. Without `file`, it runs all tests of the workspace. A failure reports the missing or unexpected row, and the query or condition that decided this. `yes`: all tests passed.',
  input: inputSchema({
    file: { ...fileInput, description: 'The path of the test file.' },
    text: textInput,
    filter: { type: 'string', maxLength: 1000, description: 'Run only tests whose names contain this text.' },
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
  purpose: 'Searches for a row that reaches a user although it should not.',
  icon: 'bug',
  sentences:
    'Searches small databases for a row of a table that reaches a device although a condition is not true for it. The condition is SQL over the row, other tables and auth.…, such as owner_id = auth.user_id(). `yes`: it is proven that there is no such row. Otherwise, `lines` contains the smallest database with such a row, as an access test, or reports that none was found and why that is not a proof (`Not proven`).',
  input: inputSchema(
    {
      ...subjectInput,
      table: { type: 'string', maxLength: 200 },
      holds: {
        type: 'string',
        maxLength: 20_000,
        description: 'The condition that must be true for each row on a device.',
      },
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
      throw new ToolFailure(
        `${what} has errors. Call validate_config to see them. Parts with errors are not synced.`,
      );
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
  purpose: 'Compares who gets which rows before and after a change.',
  icon: 'diff',
  sentences:
    'Shows who gains and who loses rows or columns by a change of the sync config. It searches small databases for a row that reaches a device with one config but not with the other. It compares with the file `before`, otherwise with the active config of the service of this workspace. `yes`: it is proven that no user gains or loses anything. Otherwise, `lines` contains the changes, or the reason why nothing is proven.',
  input: inputSchema({
    ...subjectInput,
    before: { ...fileInput, description: 'The sync config to compare with.' },
    before_text: { ...textInput, description: 'The text of that config, instead of a file.' },
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
        ['Provide the config to compare with as `before` or `before_text`.', ...report.remarks].join('\n'),
      );
    return draftOf(report);
  },
};

/** The name of a file that exists only in memory. */
const draftName = 'before-of-an-agent.yaml';
