/** Generates scripts that complete command lines in shells, from the tables of commands and options. */
import type { Command } from '../command.ts';
import { CliFailure } from '../failure.ts';

/** @param commands the commands with all of their options */
export function scripts(shell: string, commands: readonly Command[]): readonly string[] {
  switch (shell) {
    case 'bash':
      return bash(commands);
    case 'zsh':
      return ['#compdef headwater', 'autoload -Uz bashcompinit && bashcompinit', ...bash(commands)];
    case 'fish':
      return fish(commands);
    case 'powershell':
      return powershell(commands);
    default:
      throw new CliFailure(`There is no completion for ${shell}. Specify bash, zsh, fish or powershell.`);
  }
}

function bash(commands: readonly Command[]): readonly string[] {
  const cases = commands.map((each) => {
    const flags = Object.keys(each.options).map((name) => `--${name}`);
    return [
      `    ${quoteForShell(each.name)})`,
      ...(each.words?.choices
        ? [
            `case "$word" in -*) words=${quoteForShell(flags.join(' '))} ;; *) words=${quoteForShell(each.words.choices.join(' '))} ;; esac`,
          ]
        : [`words=${quoteForShell(flags.join(' '))}`]),
      ';;',
    ].join(' ');
  });
  const families = [...new Set(familiesOf(commands))].map((family) => {
    const members = commands.filter(({ name }) => name.startsWith(`${family} `));
    return `    ${quoteForShell(family)}) words=${quoteForShell(members.map(({ name }) => name.slice(family.length + 1)).join(' '))} ;;`;
  });
  const values = commands.flatMap((each) =>
    Object.entries(each.options).flatMap(([name, { choices }]) =>
      choices
        ? [`    ${quoteForShell(`${each.name} --${name}`)}) words=${quoteForShell(choices.join(' '))} ;;`]
        : [],
    ),
  );
  return [
    '_headwater() {',
    `  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""`,
    `  local command="\${COMP_WORDS[1]}"`,
    `  case "$command" in ${[...new Set(familiesOf(commands))].join('|')}) [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}" ;; esac`,
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words=${quoteForShell([...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))].join(' '))}`,
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

/** Returns the first words of two-word commands, for example `generate` for `generate token`. */
function familiesOf(commands: readonly Command[]): string[] {
  return commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []));
}

/** Returns a script that also runs in Windows PowerShell 5.1. */
function powershell(commands: readonly Command[]): readonly string[] {
  const flags = commands.map(
    (each) => `    ${literal(each.name)} = ${listOf(Object.keys(each.options).map((name) => `--${name}`))}`,
  );
  const values = commands.flatMap((each) =>
    Object.entries(each.options).flatMap(([name, { choices }]) =>
      choices ? [`    ${literal(`${each.name} --${name}`)} = ${listOf(choices)}`] : [],
    ),
  );
  return [
    'Register-ArgumentCompleter -Native -CommandName headwater -ScriptBlock {',
    '  param($word, $ast, $cursor)',
    '  $options = @{',
    ...flags,
    '  }',
    '  $values = @{',
    ...values,
    '  }',
    `  $families = ${listOf([...new Set(familiesOf(commands))])}`,
    // The words before the word that is completed.
    '  $typed = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })',
    '  $name = if ($typed.Count -gt 1 -and $families -contains $typed[0]) { "$($typed[0]) $($typed[1])" } elseif ($typed.Count -gt 0) { $typed[0] } else { "" }',
    '  $before = if ($typed.Count -gt 0) { $typed[-1] } else { "" }',
    '  $words = if ($values.ContainsKey("$name $before")) { $values["$name $before"] }',
    '    elseif ($options.ContainsKey($name)) { $options[$name] }',
    '    else { $options.Keys | Where-Object { $name -eq "" -or $_.StartsWith("$name ") } | ForEach-Object { if ($name -eq "") { $_.Split(" ")[0] } else { $_.Split(" ")[1] } } | Sort-Object -Unique }',
    '  $words | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, "ParameterValue", $_) }',
    '}',
  ];
}

function listOf(words: readonly string[]): string {
  return `@(${words.map(literal).join(', ')})`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function fish(commands: readonly Command[]): readonly string[] {
  const families = [...new Set(familiesOf(commands))].map((family) => {
    const members = commands.filter(({ name }) => name.startsWith(`${family} `));
    const rest = members.map(({ name }) => `headwater ${name}`).join(', ');
    return `complete -c headwater -f -n __fish_use_subcommand -a ${family} -d ${quoteForShell(rest)}`;
  });
  return [...families, ...commands.flatMap(fishLines)];
}

function fishLines(each: Command): readonly string[] {
  const [first = '', second] = each.name.split(' ');
  const isFirst = `__fish_seen_subcommand_from ${first}`;
  const isChosen = second ? `${isFirst}; and __fish_seen_subcommand_from ${second}` : isFirst;
  const summary = quoteForShell(each.summary);
  const begin = second
    ? `complete -c headwater -f -n ${quoteForShell(`${isFirst}; and not __fish_seen_subcommand_from ${second}`)} -a ${second} -d ${summary}`
    : `complete -c headwater -f -n __fish_use_subcommand -a ${first} -d ${summary}`;
  const { choices: words } = each.words ?? {};
  const operands = words
    ? [`complete -c headwater -f -n ${quoteForShell(isFirst)} -a ${quoteForShell(words.join(' '))}`]
    : [];
  const options = Object.entries(each.options).map(([name, option]) => {
    const { value, choices } = option;
    const takes = choices ? ` -x -a ${quoteForShell(choices.join(' '))}` : value === undefined ? '' : ' -r';
    return `complete -c headwater -n ${quoteForShell(isChosen)} -l ${name}${takes} -d ${quoteForShell(option.summary)}`;
  });
  return [begin, ...operands, ...options];
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
