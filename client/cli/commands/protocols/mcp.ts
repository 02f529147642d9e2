import { judgeIn } from '../../agents/judge.ts';
import { command } from '../../command.ts';
import { CliFailure } from '../../failure.ts';

export const mcp = command({
  name: 'mcp',
  summary: 'Give coding agents tools, over the Model Context Protocol',
  about: `Gives coding agents tools, resources and prompts for sync configs: to validate, fix, explain, preview and test them, with
the code that the service syncs with. It speaks the Model Context Protocol on standard input and output.

Agents can read the files of the workspace: this folder or FOLDER, and the repository around it. They write no files, and
can change only the service of headwater dev in this folder. docs/AGENTS.md says how to register it with an agent.`,
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
