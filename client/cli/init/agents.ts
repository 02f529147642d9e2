/**
 * The section of AGENTS.md that `headwater init --agents` writes: how an agent that changes the sync config can check the effect.
 */
import type { Addition } from './additions.ts';

/** Adds the section. Returns undefined if it exists. */
export function addAgentsSection(text: string, syncConfig: string): Addition | undefined {
  if (text.includes('headwater mcp')) return undefined;
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return { text: `${before}${before === '' ? '' : '\n'}${section(syncConfig)}`, added: ['Sync config'] };
}

/** Files with instructions for agents. If a project has one of them, it uses agents. */
export const agentFiles = [
  ...['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.mcp.json'],
  ...['.cursor', '.cursorrules', '.github/copilot-instructions.md'],
];

function section(syncConfig: string): string {
  return `## Sync config

\`${syncConfig}\` says which rows of the database reach which user's devices. A row that has reached the wrong device cannot be
taken back, so look at who gets what before you say that a change is done.

The MCP server \`headwater mcp\` has the tools that are named here. Without it, run the commands behind them, with the program that is
installed (\`node_modules/.bin/headwater\` or \`headwater\`). Never download it by a name: on npm, that name may be a stranger's.

- Before you write a query: \`describe_schema\`. Use only tables and columns that are there.
- Before you change the file: \`describe_config\` says, stream by stream, who gets which rows.
- After each change: \`validate_config\` (\`headwater validate\`). Leave no error, and explain each warning that stays.
- Filter by what the token proves: \`auth.user_id()\`, \`auth.parameter('claim')\`. What the client chooses
  (\`subscription.parameter\`, \`connection.parameter\`) may only narrow that down.
- To see whether somebody gets too much: \`diff_access\` and \`find_counterexample\` (\`headwater diff --access\`).
- What must stay so belongs into a file \`*.sync-test.yaml\`: \`run_access_tests\` (\`headwater test\`).
- Deploy to the local service only (\`deploy_local\`). To any other service, people deploy.
`;
}
