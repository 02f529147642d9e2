/** Writes docs/CLI.md: the output of `--help` for every command. */
import { helpOf } from '../../client/cli/help.ts';
import { commandGroups, commands } from '../../client/cli/index.ts';

export function renderCliPage(): string {
  const overview = commandGroups
    .map((group) => {
      const rows = group.commands.map(
        ({ name, summary }) => `| [\`${name}\`](#headwater-${anchorOf(name)}) | ${summary} |`,
      );
      return [`| ${group.title} | |`, '| --- | --- |', ...rows].join('\n');
    })
    .join('\n\n');
  const sections = commands.map(
    (command) => `## headwater ${command.name}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``,
  );
  return `${[introduction, overview, ...sections].join('\n\n')}\n`;
}

function anchorOf(name: string): string {
  return name.replaceAll(' ', '-');
}

const introduction = `# The command line

\`headwater\` checks, deploys, explains and runs sync configs, in a terminal and in scripts. This page contains the output of
\`headwater COMMAND --help\`, from which \`npm run rules\` generates it. [From a clone](../CONTRIBUTING.md#from-a-clone) describes the installation, and
[the tutorial](TUTORIAL.md) shows how the commands work together.

With \`--json\`, standard output is one JSON document, even if the command fails. Progress and advice are on standard error. Colours
are used only on a terminal, and never with \`NO_COLOR\`; \`FORCE_COLOR=1\` turns them on anywhere, and \`FORCE_COLOR=0\` off.`;
