import { judgeIn } from '../../agents/judge.ts';
import { command } from '../../command.ts';
import { CliFailure } from '../../failure.ts';

export const mcp = command({
  name: 'mcp',
  summary: 'Serve tools for coding agents, by the Model Context Protocol',
  about: `Serves tools, resources and prompts for agents that write sync configs: it validates, repairs, explains, previews and
tests them, with the code that the service syncs with. It speaks the Model Context Protocol on standard input and output.

Agents read the files of the workspace, which is this folder or FOLDER, with the repository around it. They write no
file, and change nothing but the service of headwater dev here. docs/AGENTS.md says how an agent is told of it.`,
  words: { names: '[FOLDER]', least: 0, most: 1 },
  options: { stdio: { summary: 'On standard input and output; there is no other way' } },
  examples: ['mcp', 'mcp ~/my-app'],
  run: async ({ words: [folder], world, run }) => {
    if (folder !== undefined && !world.files.isFolder(folder))
      throw new CliFailure(`There is no folder ${folder}.`);
    const inside = folder === undefined ? world : world.moveTo(folder);
    const { serveAgents } = await import('../../../agents/session.ts');
    await serveAgents(inside.channel(), judgeIn(inside, run), inside.signal);
    return { code: 0 };
  },
});
