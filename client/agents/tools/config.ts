/** Tools about the text of a config: findings, repairs, codes, tables, streams. */
import type { Draft } from '../budget.ts';
import type { JudgedFinding } from '../judge.ts';
import {
  commandOutput,
  draftOf,
  inputSchema,
  linesOutput,
  listNamed,
  outputSchema,
  stringIn,
  subjectIn,
  subjectInput,
  type Tool,
  ToolFailure,
} from '../tool.ts';

const count = { type: 'integer', minimum: 0, maximum: 1_000_000_000 } as const;

const findingsOutput = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      severity: { type: 'string', enum: ['error', 'warning', 'hint'] },
      code: { type: 'string' },
      file: { type: 'string' },
      from: { type: 'string', description: 'line:column, both starting at 1' },
      to: { type: 'string', description: 'after the last character' },
      message: { type: 'string' },
      fixes: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            title: { type: 'string' },
            sure: { type: 'boolean', description: 'Whether this is the only possible fix.' },
            edits: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  from: { type: 'string' },
                  to: { type: 'string' },
                  text: { type: 'string' },
                },
                required: ['from', 'to', 'text'],
                additionalProperties: false,
              },
            },
          },
          required: ['title'],
          additionalProperties: false,
        },
      },
    },
    required: ['severity', 'code', 'file', 'from', 'to', 'message'],
    additionalProperties: false,
  },
} as const;

function findingItem({ fixes, ...finding }: JudgedFinding): object {
  const found = fixes();
  return { ...finding, ...(found.length > 0 && { fixes: found }) };
}

function countsOf(findings: readonly JudgedFinding[]) {
  const number = (wanted: JudgedFinding['severity']): number =>
    findings.filter(({ severity }) => severity === wanted).length;
  return { errors: number('error'), warnings: number('warning'), hints: number('hint') };
}

/** Sorts findings by severity, the worst first. Findings of the same severity stay in the order of the file. */
function worstFirst(findings: readonly JudgedFinding[]): readonly JudgedFinding[] {
  const ranks = { error: 0, warning: 1, hint: 2 };
  return findings.toSorted((one, other) => ranks[one.severity] - ranks[other.severity]);
}

export const validateConfigTool: Tool = {
  name: 'validate_config',
  title: 'Validate Config',
  purpose: 'Checks sync configs, service configs and access tests.',
  icon: 'check-all',
  sentences:
    'Checks a sync config (sync.yaml with `streams` or `bucket_definitions`), a service config or access tests, offline. Returns each finding with its code, position, reason and, if there is one, a fix as edits. Call it after every change, and before you report that a config is correct. Without `file` and `text`, it checks all configs of the workspace.',
  input: inputSchema(subjectInput),
  output: outputSchema(
    {
      errors: count,
      warnings: count,
      hints: count,
      files: linesOutput,
      findings: findingsOutput,
    },
    ['errors', 'warnings', 'hints', 'files', 'findings'],
  ),
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const files = await judge.check(subjectIn(input), signal);
    const findings = worstFirst(files.flatMap((each) => each.findings));
    return {
      facts: { ...countsOf(findings), files: files.map(({ file, kind }) => `${file} (${kind})`) },
      list: listNamed('findings', findings, findingItem),
    };
  },
};

/** The maximum number of remaining findings that are listed next to the text. */
const mostLeft = 5;

export const fixConfigTool: Tool = {
  name: 'fix_config',
  title: 'Fix Config',
  purpose: 'Proposes the text of a sync config after all safe fixes.',
  icon: 'wrench',
  sentences:
    'Applies every safe fix to a sync config, and returns the new text line by line with the remaining problems. It does not write files. With `cut`, `lines` is only a part of the text.',
  input: inputSchema(subjectInput),
  output: outputSchema(
    {
      file: { type: 'string' },
      repaired: { type: 'object', additionalProperties: true },
      errors: count,
      warnings: count,
      hints: count,
      left: findingsOutput,
      lines: linesOutput,
    },
    ['file', 'repaired', 'errors', 'warnings', 'hints', 'left', 'lines'],
  ),
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const { file, text, repaired, left } = await judge.repair(subjectIn(input), signal);
    const findings = worstFirst(left);
    return {
      facts: {
        file,
        repaired,
        ...countsOf(findings),
        left: findings.slice(0, mostLeft).map(findingItem),
      },
      list: listNamed('lines', text.split('\n')),
    };
  },
};

export const explainCodeTool: Tool = {
  name: 'explain_code',
  title: 'Explain Code',
  purpose: 'Returns the page of a problem code.',
  icon: 'question',
  sentences:
    'Returns the page of a code, such as unknown-function or SVC_S0001: why it matters, with a wrong and a right example.',
  input: inputSchema({ code: { type: 'string', maxLength: 100 } }, ['code']),
  output: outputSchema({ code: { type: 'string' }, lines: linesOutput }, ['code', 'lines']),
  touches: 'nothing',
  async run({ input, judge }): Promise<Draft> {
    const { code, page } = await judge.page(stringIn(input.code) ?? '');
    return { facts: { code }, list: listNamed('lines', page.trimEnd().split('\n')) };
  },
};

export const describeSchemaTool: Tool = {
  name: 'describe_schema',
  title: 'Describe Schema',
  purpose: 'Lists the tables and columns that the files of the workspace create.',
  icon: 'database',
  sentences:
    'Lists the tables and columns of the source database that the SQL, Prisma or Rails files of the workspace create. Call it before you write a query.',
  input: inputSchema({
    ...subjectInput,
    tables: {
      type: 'array',
      items: { type: 'string', maxLength: 200 },
      maxItems: 200,
      description: 'List only tables whose names contain one of these texts.',
    },
  }),
  output: outputSchema({ tables: linesOutput }, ['tables']),
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const wanted = (input.tables as readonly string[] | undefined)?.map((name) => name.toLowerCase());
    const all = await judge.tables(subjectIn(input), signal);
    const isWanted = (line: string): boolean => {
      const name = line.slice(0, line.indexOf('(')).toLowerCase();
      return wanted === undefined || wanted.some((part) => name.includes(part));
    };
    return { facts: {}, list: listNamed('tables', all.filter(isWanted)) };
  },
};

export const describeConfigTool: Tool = {
  name: 'describe_config',
  title: 'Describe Config',
  purpose: 'Describes which users get which rows.',
  icon: 'book',
  sentences:
    'Describes a sync config, stream by stream: who gets which rows, by which values of the request, and in how many buckets. Call it to review a config, or before you change one.',
  input: inputSchema(subjectInput),
  output: outputSchema(
    {
      streams: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, about: { type: 'string' }, queries: linesOutput },
          required: ['name', 'about', 'queries'],
          additionalProperties: false,
        },
      },
    },
    ['streams'],
  ),
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const streams = await judge.streams(subjectIn(input), signal);
    return {
      facts: {},
      list: listNamed('streams', streams, ({ name, sentences, queries }) => ({
        name,
        about: sentences,
        queries,
      })),
    };
  },
};

export const migrateConfigTool: Tool = {
  name: 'migrate_config',
  title: 'Migrate Config',
  purpose: 'Proposes the streams that replace bucket definitions.',
  icon: 'arrow-swap',
  sentences:
    'Converts bucket definitions, or streams of edition 2, to streams of edition 3 that sync the same rows to every user. Returns the new text line by line, or the parts that cannot be migrated with their positions. It does not write files. With `cut`, `lines` is only a part of the text.',
  input: inputSchema(subjectInput),
  output: commandOutput,
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const [checked] = await judge.check(subjectIn(input), signal);
    if (checked?.findings.some(({ code }) => code === 'yaml-syntax'))
      throw new ToolFailure('The config is not valid YAML. Call validate_config to see the errors.');
    const report = await judge.run(
      { words: ['migrate'], subject: subjectIn(input), reach: 'nothing' },
      signal,
    );
    return draftOf(report);
  },
};

const languages = ['ts', 'js', 'jsLegacy', 'dart', 'kotlin', 'swift', 'dotNet', 'dotNetClass'];

export const generateSchemaTool: Tool = {
  name: 'generate_schema',
  title: 'Generate Client Schema',
  purpose: 'Proposes the schema of the clients in the language of the app.',
  icon: 'symbol-structure',
  sentences:
    'Generates the client schema in the language of the app: the tables and columns that clients get from a sync config. It does not write files. With `cut`, `lines` is only a part of the text.',
  input: inputSchema({
    ...subjectInput,
    language: { type: 'string', enum: languages, description: 'Default: ts.' },
    package: {
      type: 'string',
      maxLength: 200,
      description: 'The package that TypeScript and JavaScript import (default: @powersync/web).',
    },
  }),
  output: commandOutput,
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    const report = await judge.run(
      {
        words: ['generate', 'schema'],
        options: { output: stringIn(input.language), package: stringIn(input.package) },
        subject: subjectIn(input),
        reach: 'nothing',
      },
      signal,
    );
    return draftOf(report);
  },
};
