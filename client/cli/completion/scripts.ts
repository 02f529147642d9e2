/** Scripts that complete command lines, made of the tables of commands and options. */
import type { Command } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { commonOptions, type Options } from '../options.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

export function scripts(shell: string, commands: readonly Command[]): readonly string[] {
  switch (shell) {
    case 'bash':
      return bash(commands);
    case 'zsh':
      return ['#compdef headwater', 'autoload -Uz bashcompinit && bashcompinit', ...bash(commands)];
    case 'fish':
      return fish(commands);
    default:
      throw new CliFailure(`There is no completion for ${shell}: only for bash, zsh and fish.`);
  }
}

function optionsOf({ options }: Command): Options {
  return { ...options, ...commonOptions };
}

function bash(commands: readonly Command[]): readonly string[] {
  const cases = commands.map((each) => {
    const flags = Object.keys(optionsOf(each)).map((name) => `--${name}`);
    return [
      `    ${quoted(each.name)})`,
      ...(each.words?.choices
        ? [
            `case "$word" in -*) words=${quoted(flags.join(' '))} ;; *) words=${quoted(each.words.choices.join(' '))} ;; esac`,
          ]
        : [`words=${quoted(flags.join(' '))}`]),
      ';;',
    ].join(' ');
  });
  const families = [...new Set(familiesOf(commands))].map((family) => {
    const members = commands.filter(({ name }) => name.startsWith(`${family} `));
    return `    ${quoted(family)}) words=${quoted(members.map(({ name }) => name.slice(family.length + 1)).join(' '))} ;;`;
  });
  const values = commands.flatMap((each) =>
    Object.entries(optionsOf(each)).flatMap(([name, { choices }]) =>
      choices ? [`    ${quoted(`${each.name} --${name}`)}) words=${quoted(choices.join(' '))} ;;`] : [],
    ),
  );
  return [
    '_headwater() {',
    `  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""`,
    `  local command="\${COMP_WORDS[1]}"`,
    `  case "$command" in ${[...new Set(familiesOf(commands))].join('|')}) [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}" ;; esac`,
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words=${quoted([...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))].join(' '))}`,
    '  else case "$command" in',
    ...cases,
    ...families,
    '  esac; fi',
    '  case "$command $before" in',
    ...values,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _headwater headwater',
  ];
}

/** `generate` of `generate token`. */
function familiesOf(commands: readonly Command[]): string[] {
  return commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []));
}

function fish(commands: readonly Command[]): readonly string[] {
  const families = [...new Set(familiesOf(commands))].map((family) => {
    const members = commands.filter(({ name }) => name.startsWith(`${family} `));
    const rest = members.map(({ name }) => `headwater ${name}`).join(', ');
    return `complete -c headwater -f -n __fish_use_subcommand -a ${family} -d ${quoted(rest)}`;
  });
  return [...families, ...commands.flatMap(fishLines)];
}

function fishLines(each: Command): readonly string[] {
  const [first = '', second] = each.name.split(' ');
  const isFirst = `__fish_seen_subcommand_from ${first}`;
  const isChosen = second ? `${isFirst}; and __fish_seen_subcommand_from ${second}` : isFirst;
  const summary = quoted(each.summary);
  const begin = second
    ? `complete -c headwater -f -n ${quoted(`${isFirst}; and not __fish_seen_subcommand_from ${second}`)} -a ${second} -d ${summary}`
    : `complete -c headwater -f -n __fish_use_subcommand -a ${first} -d ${summary}`;
  const { choices: words } = each.words ?? {};
  const operands = words
    ? [`complete -c headwater -f -n ${quoted(isFirst)} -a ${quoted(words.join(' '))}`]
    : [];
  const options = Object.entries(optionsOf(each)).map(([name, option]) => {
    const { value, choices } = option;
    const takes = choices ? ` -x -a ${quoted(choices.join(' '))}` : value === undefined ? '' : ' -r';
    return `complete -c headwater -n ${quoted(isChosen)} -l ${name}${takes} -d ${quoted(option.summary)}`;
  });
  return [begin, ...operands, ...options];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
