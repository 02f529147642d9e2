/** Each command on a page is one that a test can follow, and that the command line understands. */
import { expect, test } from 'vitest';
import { commandGroups } from '../../client/cli/index.ts';
import { readCommandLine } from '../../client/cli/options.ts';
import { keepsRunning, notRun, pagesWithSteps, pageText, publicPages } from '../support/docs/pages.ts';
import { stepsOf } from '../support/docs/steps.ts';

interface Fence {
  readonly path: string;
  readonly line: number;
  readonly indentation: string;
  readonly language: string;
  readonly text: string;
}

/** The page of the command line is generated from the help texts, and the tests of the commands run its examples. */
const fences = publicPages
  .filter((path) => path !== 'docs/CLI.md')
  .flatMap((path) => fencesIn(path, pageText(path)));

/** Languages of blocks that nobody runs. Steps are `sh`, `console`, `browser` and `sql`, and files with a path. */
const shown = ['', 'elisp', 'html', 'js', 'json', 'lua', 'text', 'toml', 'ts', 'vim', 'yaml'];

test('every block that a reader runs is one that the live test of pages runs', () => {
  expect(fences.length).toBeGreaterThan(500);
  expect(fences.flatMap(problemOf)).toEqual([]);
});

test('a command that keeps running shows what it prints, because otherwise nobody notices that it fails', () => {
  const silent = pagesWithSteps().flatMap(({ path, steps }) =>
    steps.flatMap((step, index) => {
      const isSilent = step.kind === 'command' && keepsRunning.test(step.command) && !step.shown?.length;
      return isSilent && steps[index + 1]?.kind !== 'shown next' ? `${path}: ${step.command}` : [];
    }),
  );
  expect(silent).toEqual([]);
});

test('every command that no test runs is on some page', () => {
  const commands = pagesWithSteps().flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'command' ? [step.command] : [])),
  );
  expect(notRun.filter(([pattern]) => !commands.some((command) => pattern.test(command)))).toEqual([]);
});

test('every command in a sentence exists, with its options', () => {
  const commands = publicPages.flatMap((path) =>
    inlineCommandsIn(pageText(path)).map((command) => ({ path, command })),
  );
  expect(commands.length).toBeGreaterThan(100);
  const wrong = commands.flatMap(({ path, command }) => {
    const mistake = mistakeIn(command);
    return mistake === undefined ? [] : `${path}: ${command}: ${mistake}`;
  });
  expect(wrong).toEqual([]);
});

test('the page of the service names the production command that another page runs', () => {
  const [named] = inlineCommandsIn(pageText('docs/SERVICE.md')).filter((command) =>
    command.startsWith('serve -c'),
  );
  const { steps = [] } = pagesWithSteps().find(({ path }) => path === 'docs/PRODUCTION.md') ?? {};
  expect(steps).toContainEqual(expect.objectContaining({ command: `headwater ${named}` }));
});

test('a block in another shell, an indented one and an unmarked command are noticed', () => {
  const problems = (page: string) => fencesIn('page', page).flatMap(problemOf);
  expect(problems('```bash\nmake\n```')).toEqual(['page:1 `bash` is not followed: use `sh` or `console`']);
  expect(problems('- Do:\n  ```sh\n  make\n  ```')).toEqual(['page:2 is indented, so no test runs it']);
  expect(problems('```\n$ make\n```')).toEqual(['page:1 shows the command `$ make`: use `console`']);
  expect(problems('```text\nheadwater dev\n```')).toEqual([
    'page:1 shows the command `headwater dev`: use `console`',
  ]);
  expect(problems('```sh\nmake\n```\n\n```yaml\na: b\n```')).toEqual([]);
});

test('a wrong command in a sentence is noticed', () => {
  expect(inlineCommandsIn('Run `headwater\nserve -c a.yaml` or `node_modules/.bin/headwater dev`.')).toEqual([
    'serve -c a.yaml',
    'dev',
  ]);
  expect(mistakeIn('serve --wrokers 2')).toBe('There is no option --wrokers. Did you mean --workers?');
  expect(mistakeIn('sevre')).toBe('There is no such command.');
  expect(mistakeIn('diff --access --before deployed.yaml sync.yaml')).toBeUndefined();
});

function problemOf({ path, line, indentation, language, text }: Fence): readonly string[] {
  const at = `${path}:${line}`;
  const isStep = stepsOf(`\`\`\`${language}\n${text}\`\`\`\n`).length > 0;
  if (isStep && indentation !== '') return [`${at} is indented, so no test runs it`];
  if (isStep || / \S/.test(language)) return [];
  if (!shown.includes(language)) return [`${at} \`${language}\` is not followed: use \`sh\` or \`console\``];
  const [command] = /^(?:\$ |(?:headwater|npm|npx|node|docker|git|psql|curl|code) ).*$/m.exec(text) ?? [];
  return command === undefined ? [] : [`${at} shows the command \`${command}\`: use \`console\``];
}

function fencesIn(path: string, page: string): readonly Fence[] {
  const found = page.matchAll(/^([ >]*)```([^\n`]*)\n([\s\S]*?)^\1```$/gm);
  return [...found].map(({ 1: indentation = '', 2: language = '', 3: text = '', index }) => {
    const line = page.slice(0, index).split('\n').length;
    return { path, line, indentation, language, text };
  });
}

/** Returns the arguments of each command in backquotes. */
function inlineCommandsIn(page: string): readonly string[] {
  const prose = page.replaceAll(/^([ >]*)```[\s\S]*?^\1```$/gm, '');
  const spans = prose.matchAll(/`(?:node_modules\/\.bin\/)?headwater\s+([^`]+)`/g);
  return [...spans].map(([, args = '']) => args.replaceAll(/\s+/g, ' ').trim());
}

/** Returns what the command line would say. A sentence may leave out operands. */
function mistakeIn(command: string): string | undefined {
  const [plain = ''] = command.split(/ (?:>|\|\|?|&&) /);
  const args = (plain.match(/"[^"]*"|\S+/g) ?? []).filter((arg) => arg !== '…');
  if (/^(?:--version|--help|COMMAND --help)$/.test(plain)) return undefined;
  const commands = commandGroups.flatMap((group) => group.commands);
  const found = commands.find(({ name }) => `${args.join(' ')} `.startsWith(`${name} `));
  // A family of commands, such as `generate`.
  if (found === undefined)
    return commands.some(({ name }) => name.startsWith(`${plain} `))
      ? undefined
      : 'There is no such command.';
  // A sentence may also leave out the value of the last option.
  const value = found.options[args.at(-1)?.replace(/^--/, '') ?? '']?.value;
  const between = found.options[args.at(-1)?.replace(/^--/, '') ?? '']?.between;
  if (value !== undefined) args.push(between === undefined ? value : String(between[0]));
  const operands = found.words && { ...found.words, least: 0 };
  try {
    readCommandLine(args.slice(found.name.split(' ').length), found.options, operands, found.name);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
