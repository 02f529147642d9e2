/** Creates a rule: a code of the catalogue with its check, its page and a fixture. */
import { type Creation, changelogRow, importRow, type Name } from './creation.ts';

export function createRule({ kebab, camel }: Name): Creation {
  const page = `docs/rules/${kebab}.md`;
  const fixture = `test/fixtures/rules/${kebab}.fixture`;
  const config = (name: string, condition = '') => `config:
  edition: 3
streams:
  ${name}:
    query: SELECT * FROM tasks${condition}
`;
  return {
    files: {
      [`server/engine/checks/${kebab}.ts`]: `import type { ConfigCheck } from './check.ts';

/** TODO: why this is a problem. */
export const ${camel}: ConfigCheck = {
  code: '${kebab}',
  checkSelect: (_subject) => {
    // TODO: call report('${kebab}', span, {}) where there is a problem. check.ts lists what else a check can look at.
  },
};
`,
      [page]: `# ${kebab}

TODO: why this is a problem, in one or two sentences.

## Wrong

\`\`\`yaml
${config('example')}\`\`\`

## Right

\`\`\`yaml
${config('example', ' WHERE owner_id = auth.user_id()')}\`\`\`
`,
      [fixture]: `${config('wrong')}#~         ^^^^^^^^^^^^^^^^^^^ warning ${kebab} "TODO: a part of the message"
  right:
    query: SELECT * FROM tasks
`,
    },
    rows: [
      importRow('server/engine/checks/index.ts', `import { ${camel} } from './${kebab}.ts';`),
      {
        path: 'server/engine/checks/index.ts',
        begin: 'export const checks',
        end: '\n];',
        text: `\n  ${camel},`,
      },
      {
        path: 'server/engine/diagnostics/advice.ts',
        begin: 'export const adviceFindings',
        end: '\n} satisfies FindingGroup;',
        text: `\n  '${kebab}': warning('TODO: the problem in a few words', () => 'TODO: what is wrong, and what to write instead.'),`,
      },
      changelogRow(`\`${kebab}\``),
    ],
    test: 'test/engine/rules.fixtures.test.ts',
  };
}
