/** Finds texts such as `${count} tables`, which become "1 tables" unless the code has another text for one. */
import type { Source } from './imports.ts';

const things = [
  ...['tables', 'columns', 'rows', 'files', 'streams', 'buckets', 'clients', 'users', 'errors', 'warnings'],
  ...[
    'problems',
    'tests',
    'checks',
    'statements',
    'queries',
    'migrations',
    'configs',
    'operations',
    'values',
  ],
  ...['parameters', 'steps', 'lines', 'bytes', 'seconds', 'minutes', 'hours', 'days', 'weeks', 'slots'],
  ...['keys', 'devices', 'services', 'scripts', 'connections', 'requests', 'conditions', 'subscriptions'],
  ...['characters', 'items', 'entries', 'elements', 'deployments', 'differences', 'findings'],
];
const kinds = ['more', 'new', 'other', 'stored', 'unchanged', 'connected', 'missing', 'different', 'failed'];

/** A placeholder of a template, a translation or an element, and what it counts. */
const amount = new RegExp(
  `\\$?\\{([^{}]*)\\} (?:of (?:about )?\\$?\\{[^{}]*\\} )?(?:(?:${kinds.join('|')}) )?(?:${things.join('|')})\\b(?![=-])`,
  'g',
);

/** A comparison of the amount with one, or a function that makes it, close to the text. */
const guard = /[=!]==? 1\b|> (?:1\b|1_000|most[A-Z])|countNoun\(|amountText\(/;

/** Names of limits, which are above one, and of texts. */
const noAmount = /^(?:\w+\()?(?:[\w.]+\.)?(?:most|longest|max|limits?\b|schema$|textOf)/;

/** Exceptions, with the reason why each amount is above one. */
export const certainAmounts: Readonly<Record<string, string>> = {
  'client/agents/toolSchema.ts: ${value.length} characters': 'more than a limit allows',
  'client/agents/toolSchema.ts: ${value.length} items': 'more than a limit allows',
  'client/cli/diff/serviceRows.ts: ${count(all)} rows': 'more than a limit allows',
  'client/console/devices/devicePanel.tsx: ${numberText(perSecond)} rows': 'more than a limit allows',
  'client/console/devices/devicePanel.tsx: {numberText(cell.length)} characters': 'more than a limit allows',
  'client/console/service/hour.tsx: ${minutes.value} minutes': 'one of a few choices, all above one',
  'client/deploying/limits.ts: {1} of {2} buckets': 'the limit of a service',
  'client/deploying/page.ts: {1} rows': 'a limit that a user has set',
  'client/health/copyWords.ts: {1} rows': 'a limit that a user has set',
  'client/health/amounts.ts: {0} days': 'shorter durations are in hours',
  'client/vscode/commands/checkHealth.ts: {1} checks': 'the number of all checks',
  'client/vscode/commands/checkHealth.ts: {1} of {2} checks': 'the number of all checks',
  'client/vscode/commands/copies/controlCopy.ts: {0} rows': 'a limit that a user has set',
  'client/vscode/commands/createClientToken.ts: {1} hours': 'a constant',
  'server/features/actions/remedies/oneStream.ts: ${alike.length} streams': 'at least two are alike',
  'server/features/limits/words.ts: ${number(reference)} values':
    'more than the buckets, which are at least one',
  'server/service/api/limits/trend.ts: ${Math.round(days)} days': 'at least a day and a half',
  'server/service/api/limits/trend.ts: ${Math.round(days / 7)} weeks': 'at least a week and a half',
  'server/service/replication/postgres/rows.ts: ${bytes} bytes': 'more than a limit allows',
  'server/service/sync/buckets.ts: ${result.buckets.length} buckets': 'more than a limit allows',
};

/** The numbers of characters before and after a text that belong to its statement. */
const around = { before: 200, after: 100 };

/** Returns the texts that are wrong for one. */
export function amountsIn({ path, text }: Pick<Source, 'path' | 'text'>): readonly string[] {
  const code = text.replaceAll(/^ *(?:\/\*\*| \*|\/\/).*$/gm, (comment) => ' '.repeat(comment.length));
  return [...code.matchAll(amount)].flatMap((match) => {
    const near = code.slice(
      Math.max(0, match.index - around.before),
      match.index + match[0].length + around.after,
    );
    return guard.test(near) || noAmount.test(match[1] ?? '') ? [] : [`${path}: ${match[0]}`];
  });
}
