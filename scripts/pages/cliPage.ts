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

\`headwater\` checks, deploys, explains and runs, in a terminal and in scripts. This page says what \`headwater COMMAND --help\`
says, and is generated from it by \`npm run rules\`; how to get it is in [the README](../README.md), and how it all plays
together in [the tutorial](TUTORIAL.md).

With \`--json\`, standard output is one JSON document, also for errors. Progress and advice are on standard error. Colours are
used on a terminal only, and never with \`NO_COLOR\`.`;
