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

\`${syncConfig}\` defines which rows of the database reach which user's devices. A row that has reached the wrong device cannot be
taken back, so check who gets what before you report a change as done.

The MCP server \`headwater mcp\` provides the tools that are named here. Without it, run the commands in parentheses with the
installed program (\`node_modules/.bin/headwater\` or \`headwater\`). Never download the program by its name, because on npm that
name may belong to someone else.

- Before you write a query: \`describe_schema\`. Use only tables and columns that it lists.
- Before you change the file: \`describe_config\` shows, stream by stream, who gets which rows.
- After each change: \`validate_config\` (\`headwater validate\`). Fix all errors, and explain each warning that remains.
- Filter by values that the token proves: \`auth.user_id()\`, \`auth.parameter('claim')\`. Values that the client chooses
  (\`subscription.parameter\`, \`connection.parameter\`) may only narrow the result.
- To see whether a user gets too much: \`diff_access\` and \`find_counterexample\` (\`headwater diff --access\`).
- Write rules that must always hold in a file \`*.sync-test.yaml\`, and run it: \`run_access_tests\` (\`headwater test\`).
- Deploy only to the local service (\`deploy_local\`). People deploy to all other services.
`;
}
