/** Translates advice for people at a terminal into advice for agents, which have inputs instead of options. */

/** Replacements of complete sentences, so that data in an answer is not mistaken for advice. */
const sentences: readonly (readonly [from: string, to: string])[] = [
  [
    'Provide them with --rows, or ask the running service with --live.',
    'Provide them as `rows`, or ask the running service with `from_service`.',
  ],
  [
    'This client gets nothing without a subscription. See --subscribe.',
    'This client gets nothing without `subscriptions`.',
  ],
  [
    'Run `headwater test --update` to write the current rows into it.',
    'Write the rows that each user must get.',
  ],
];

const advice: readonly (readonly [from: RegExp, to: string])[] = [
  [/Use --user USER or --token TOKEN/g, 'Provide `user`'],
  [/Specify its schema with --schema/g, 'Add a file that creates it to the workspace'],
  [/Use --service URL, write api_url/g, 'Let the user write api_url'],
  [
    /Or specify the service yourself, with --service \S+ or the variable/g,
    'Or let the user set the variable',
  ],
  [/ Or name one: --service URL\./g, ''],
  [/Choose one: --directory (\S+?)(?=[.,]|$)/g, 'Choose one with `directory`: $1'],
  [/, --directory (?=\S)/g, ', '],
  [/headwater validate \S+?(?=\.?(?:\s|$))/g, 'validate_config'],
  [/headwater status/g, 'service_status'],
  [/Run headwater test \S+ to see them/g, 'Call run_access_tests to see them'],
  [/--subscribe\b/g, '`subscriptions`'],
  [/--live\b/g, '`from_service`'],
  [/--search(?: SECONDS)?\b/g, '`seconds`'],
  [/--(table|row|rows|user|claims|parameters|directory|before|filter|timeout)\b(?: [A-Z]+\b)?/g, '`$1`'],
];

/** Rewrites the advice in a message so that it makes sense to a coding agent. */
export function adviceForAgents(text: string): string {
  return advice.reduce((rest, [from, to]) => rest.replace(from, to), lineForAgents(text));
}

/** Rewrites the advice in a line of an answer. The line may contain data, so only complete sentences are replaced. */
export function lineForAgents(line: string): string {
  return sentences.reduce(
    (rest, [from, to]) => (rest.endsWith(from) ? rest.slice(0, -from.length) + to : rest),
    line,
  );
}
