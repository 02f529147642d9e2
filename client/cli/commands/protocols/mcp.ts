import { judgeIn } from '../../agents/judge.ts';
import { command } from '../../command.ts';
import { CliFailure } from '../../failure.ts';

export const mcp = command({
  name: 'mcp',
  summary: 'Provide tools for coding agents, over the Model Context Protocol',
  about: `Provides coding agents with tools, resources and prompts for sync configs, to validate, fix, explain, preview and test them
with the same code as the service. It speaks the Model Context Protocol on standard input and output.

Agents can read the files of the workspace: this folder or FOLDER, and the repository around it. They cannot write files, and
can change only the service of headwater dev in this folder. docs/AGENTS.md explains how to register the server with an agent.`,
  words: { names: '[FOLDER]', least: 0, most: 1 },
  options: { stdio: { summary: 'Use standard input and output, the only transport' } },
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
