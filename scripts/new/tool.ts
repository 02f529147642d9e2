/** Creates a tool for coding agents. */
import { type Creation, changelogRow, importRow, type Name } from './creation.ts';

export function createTool({ camel, snake, title }: Name): Creation {
  const table = 'client/agents/tools.ts';
  return {
    files: {
      [`client/agents/tools/${camel}.ts`]: `/** TODO: what this tool does that no other tool does. */
import type { Draft } from '../budget.ts';
import {
  inputSchema,
  linesOutput,
  listNamed,
  outputSchema,
  subjectIn,
  subjectInput,
  type Tool,
} from '../tool.ts';

export const ${camel}Tool: Tool = {
  name: '${snake}',
  title: '${title}',
  purpose: 'TODO: what it does, for people, in one sentence.',
  icon: 'tools',
  sentences: 'TODO: what it does, and when to call it. A model reads this.',
  input: inputSchema(subjectInput),
  output: outputSchema({ lines: linesOutput }, ['lines']),
  touches: 'nothing',
  async run({ input, judge, signal }): Promise<Draft> {
    // TODO: judge.ts lists what can be asked. For the answer of a command, return draftOf(await judge.run(…)).
    const files = await judge.check(subjectIn(input), signal);
    return { facts: {}, list: listNamed('lines', files.map(({ file }) => file)) };
  },
};
`,
    },
    rows: [
      importRow(table, `import { ${camel}Tool } from './tools/${camel}.ts';`),
      { path: table, begin: 'export const tools', end: '\n];', text: `\n  ${camel}Tool,` },
      {
        path: 'docs/AGENTS.md',
        begin: '\n| Tool |',
        end: '\n\n',
        text: `\n| \`${snake}\` | TODO: what it does | nothing |`,
      },
      {
        path: 'test/support/cli/toolCalls.ts',
        begin: 'export const calls',
        end: '\n];',
        text: `\n  ['${snake}', {}, { lines: ['TODO: the lines of the answer'] }],`,
      },
      changelogRow(`the tool \`${snake}\``),
    ],
    test: 'test/client/agents/tools.test.ts',
  };
}
