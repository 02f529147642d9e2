/** Creates a command of `headwater`. A name such as `explain-row` becomes a command of two words. */
import { type Creation, changelogRow, importRow, type Name } from './creation.ts';

export function createCommand({ camel, words }: Name): Creation {
  const test = `test/cli/commands/${camel}.test.ts`;
  const args = words
    .split(' ')
    .map((word) => `'${word}'`)
    .join(', ');
  return {
    files: {
      [`client/cli/commands/${camel}.ts`]: `import { command } from '../command.ts';
import { CliFailure } from '../failure.ts';

export const ${camel} = command({
  name: '${words}',
  summary: 'TODO: what it does, in a few words',
  about: \`TODO: what it does, and what its exit codes mean.\`,
  options: {},
  examples: ['${words}'],
  run: async () => {
    throw new CliFailure('TODO: return { code, lines, json }, with the lines for people and the JSON for programs.');
  },
});
`,
      [test]: `import { expect, test } from 'vitest';
import { headwater } from '../../support/cli/cliWorld.ts';

test('TODO: what the command does, as a sentence', async () => {
  const { code, out } = await headwater([${args}]);
  expect({ code, out }).toEqual({ code: 0, out: ['TODO: the lines that it prints'] });
});
`,
    },
    rows: [
      importRow('client/cli/index.ts', `import { ${camel} } from './commands/${camel}.ts';`),
      {
        path: 'client/cli/index.ts',
        begin: "'For apps and tools'",
        end: 'lsp',
        text: `${camel}, `,
      },
      {
        path: 'test/cli/commands.live.test.ts',
        begin: 'const runs:',
        end: '\n];',
        text: `\n  ['TODO: what it does in a project, as a sentence', () => headwater(${args}), { status: 0 }],`,
      },
      changelogRow(`\`headwater ${words}\``),
    ],
    test,
  };
}
