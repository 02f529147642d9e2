/** Advice on configs that a service would accept, and problems that only the source's tables show. */
import { didYouMean, error, type FindingGroup, hint, type NearName, warning } from './entry.ts';

/** Descriptions that follow the name and `is`. */
const rowless = {
  view: 'a view, which services do not replicate. Sync the tables that it reads.',
  'materialized view': 'a materialized view, which services do not replicate. Sync the tables that it reads.',
  'partitioned table': 'a partitioned table: services replicate its partitions, under their own names.',
  'unlogged table': 'an unlogged table: its changes are in no log, so services do not replicate it.',
  'foreign table': 'a foreign table: its rows are in another database, so services do not replicate it.',
};

/** The origin of the known tables; absent: a database has reported them. See `Catalog`. */
interface Origin {
  readonly from?: 'files' | 'schema' | undefined;
}

/** Returns the sentence for the origin. */
function byOrigin(
  { from }: Origin,
  sentences: Readonly<Record<'files' | 'schema' | 'database', string>>,
): string {
  return sentences[from ?? 'database'];
}

export const sourceFindings = {
  'unknown-schema': warning<{ schema: string } & Origin & NearName>(
    'Unknown schema',
    (a) =>
      `${byOrigin(a, {
        files: `No file of this project creates tables in a schema \`${a.schema}\`.`,
        schema: `The tables of this project are in no schema \`${a.schema}\`.`,
        database: `There is no schema \`${a.schema}\` in the source.`,
      })}${didYouMean(a)}`,
  ),
  'unknown-table': warning<{ table: string; form?: keyof typeof rowless } & Origin & NearName>(
    'Unknown table',
    (a) => {
      if (a.form !== undefined) return `\`${a.table}\` is ${rowless[a.form]}`;
      const sentence = byOrigin(a, {
        files: `No file of this project creates a table \`${a.table}\`.`,
        schema: `The schema of this project has no table \`${a.table}\`.`,
        database: `There is no table \`${a.table}\` in the source.`,
      });
      return `${sentence}${didYouMean(a)}`;
    },
  ),
  'unknown-column': warning<{ table: string; column: string; instead?: string } & Origin & NearName>(
    'Unknown column',
    (a) => {
      const sentence = byOrigin(a, {
        files: `No file of this project creates a column \`${a.column}\` in \`${a.table}\`.`,
        schema: `The schema of this project has no column \`${a.column}\` in \`${a.table}\`.`,
        database: `\`${a.table}\` has no column \`${a.column}\`.`,
      });
      return `${sentence}${a.instead ? ` ${a.instead}` : didYouMean(a)}`;
    },
  ),
  'cte-shadows-table': warning<{ name: string }>(
    'CTE with the name of a table',
    (a) => `The CTE \`${a.name}\` hides the table \`${a.name}\`.`,
  ),
  'type-mismatch': warning<{
    left: string;
    right: string;
    result: 'never true' | 'always true' | 'order';
    instead?: string;
  }>(
    'Comparison of different types',
    (a) =>
      `${
        a.result === 'order'
          ? `A ${a.left} and a ${a.right} are not compared by their values here.`
          : `A ${a.left} never equals a ${a.right} here, so this is ${a.result}.`
      } ${a.instead ?? 'Cast one of them.'}`,
  ),
  'missing-comma': warning<{ column: string; alias: string }>(
    'Forgotten comma between two columns',
    (a) =>
      `Clients will see \`${a.column}\` as \`${a.alias}\`, which is also a column of this table. Write a comma before it, or AS if you mean that.`,
  ),
  'unlisted-value': warning<{ column: string; value: string; listed: string } & NearName>(
    'Value not in the enum',
    (a) => `\`${a.column}\` is never \`${a.value}\`.${didYouMean(a) || ` Its type lists ${a.listed}.`}`,
  ),
  'blob-output': warning<{ columns: readonly string[] }>('Binary column in the output', ({ columns }) => {
    const names = columns.map((name) => `\`${name}\``).join(', ');
    return columns.length === 1
      ? `Clients do not get ${names}, because it is binary. Sync base64(…) of it instead.`
      : `Clients do not get ${names}, because they are binary. Sync base64(…) of them instead.`;
  }),
} satisfies FindingGroup;

export const silentFindings = {
  'ignored-statement': warning(
    'Text after the first semicolon',
    () => 'Everything after the first `;` is ignored.',
  ),
  'ignored-arguments': warning<{ name: string }>(
    'Ignored arguments',
    (a) => `${a.name}() takes no arguments; these are ignored.`,
  ),
  'ignored-distinct': hint('DISTINCT', () => 'DISTINCT has no effect: a row is synced once per bucket.'),
  'no-output-columns': warning<{ missing: 'columns' | 'queries' }>(
    'Query without columns, stream without queries',
    (a) => `This syncs nothing: there are no ${a.missing}.`,
  ),
  'different-columns': warning<{
    stream: string;
    kind: 'columns' | 'values';
    columns: readonly string[];
    /** Whether the other query has only unchanged columns of the table here. */
    isPlain?: boolean;
  }>(
    'Same row with different columns',
    ({ stream, kind, columns }) =>
      `\`${stream}\` syncs the same rows ${kind === 'columns' ? 'with' : 'with other values in'} ${someOf(columns)}. A client keeps one version of each row, whichever came last: give both queries the same columns, or one of them another table name.`,
  ),
  'missing-id': warning<{ table?: string }>('Missing column `id` in a stream', (a) =>
    a.table === undefined
      ? 'Clients need a text column named `id`; without it all rows collapse into one.'
      : `The table \`${a.table}\` has no column \`id\`; without it all rows collapse into one. Add its key: \`… AS id\`.`,
  ),
  'id-not-text': hint<{ type: string }>(
    '`id` is not text',
    (a) => `\`id\` is of type ${a.type}; clients see it as text. Cast it where you compare it.`,
  ),
  'unknown-function-column': error<{ name: string; column: string } & NearName>(
    'Unknown column of a table function',
    (a) => `${a.name}() has no column \`${a.column}\`, only key and value.${didYouMean(a)}`,
  ),
  'operator-not-evaluable': error<{ operator: string }>(
    'Operator that services cannot evaluate',
    (a) =>
      `The service cannot evaluate ${a.operator}: every row would fail. Set \`unstable_sqlite_expression_engine: true\`.`,
  ),
  'function-not-evaluable': error<{ name: string }>(
    'Function missing in the SQLite engine',
    (a) => `${a.name}() does not exist in the SQLite expression engine.`,
  ),
  'in-single-value': error<{ value: string; list?: string }>(
    'IN with a single value',
    (a) => `IN needs a list here. Write IN ${a.list ?? `ARRAY[${a.value}]`}, or = ${a.value}.`,
  ),
  'negated-in-expansion': error(
    'NOT (x IN list)',
    () =>
      'Inside NOT or a larger expression the service tests IN for each element alone: NOT (x IN y) is nearly always true, so rows leak. Write x NOT IN y.',
  ),
  'negated-subquery': error(
    'NOT over a subquery',
    () =>
      'Inside NOT or a larger expression the service tests each row of this subquery alone, so NOT IN is true as soon as one row differs. Store the fact in a column instead.',
  ),
  'cte-in-cte': error<{ name: string }>(
    'CTE that uses another CTE',
    (a) => `A CTE cannot use another one: the service would look for a table named \`${a.name}\`.`,
  ),
  'unused-join': warning<{ table: string }>(
    'Unused JOIN',
    (a) => `No condition uses \`${a.table}\`, so it has no effect. Remove it.`,
  ),
  'filter-on-null': warning<{ passes: boolean; instead?: string }>(
    'Comparison with NULL',
    (a) =>
      `A comparison with NULL is ${a.passes ? 'always true here' : 'never true'}.${a.instead ? ` Write ${a.instead}.` : ''}`,
  ),
  'not-equal-null': hint<{ column: string }>(
    '!= that matches NULL',
    (a) => `Rows whose \`${a.column}\` is NULL also match this.`,
  ),
  'dotted-key': hint<{ path: string }>(
    'JSON key with a dot',
    (a) => `This is one key with a dot in it. A path is written '${a.path}'.`,
  ),
  'is-true-number': hint('IS TRUE on a number', () => 'IS TRUE is true only for 1, not for other numbers.'),
  'constant-condition': hint<{ value: 'true' | 'false'; other?: string }>('Constant condition', (a) => {
    if (a.value === 'true')
      return a.other ? `Either this or \`${a.other}\` is always true.` : 'This condition is always true.';
    return a.other
      ? `This is never true together with \`${a.other}\`.`
      : 'This condition is never true, so it matches no rows.';
  }),
  'connection-tag-ignored': error<{ tag: string }>(
    'Connection tag in edition 3',
    (a) => `Edition 3 ignores the connection tag \`${a.tag}\` and reads the default connection.`,
  ),
  'same-parameter-twice': error<{ parameter: string }>(
    'Two conditions on one parameter',
    (a) =>
      `Two conditions on ${a.parameter} in one query: the service enforces only the first, so rows leak. Use two parameters.`,
  ),
  'star-subquery': error(
    'IN (SELECT *) in edition 2',
    () => 'IN (SELECT *) makes the service drop this condition and sync all rows. Name the column.',
  ),
  'wildcard-filter': error(
    'Filter on a wildcard table in edition 2',
    () => 'A wildcard table with a filter never matches in edition 2. Use `edition: 3`.',
  ),
  'event-where-ignored': warning(
    'WHERE in the payload of an event',
    () => 'WHERE has no effect here: every row of the table matches.',
  ),
  'priority-ignored': warning(
    'Ignored priority',
    () => 'This priority has no effect here; buckets get priority 3.',
  ),
  'large-bucket-key': hint<{ column: string }>(
    'Bucket per timestamp or measurement',
    (a) => `\`${a.column}\` has very many values, and each creates a separate bucket.`,
  ),
} satisfies FindingGroup;

export const adviceFindings = {
  'reads-rows-of-others': warning<{ column: string; stream?: string; who?: 'the user' | 'some users' }>(
    'Rows of other users',
    ({ column, stream, who }) => {
      if (stream === undefined)
        return `Everyone gets these rows, although their \`${column}\` says whose they are.`;
      return who === 'some users'
        ? `Everyone gets these rows, although \`${stream}\` compares their \`${column}\` with the user.`
        : `Everyone gets these rows, although \`${stream}\` sends them only to the user in \`${column}\`.`;
    },
  ),
  'many-buckets': hint<{ factors: readonly string[] }>(
    'Bucket count that multiplies',
    (a) =>
      `One client gets a bucket for each combination of ${a.factors.join(' and ')}. More than 1,000 buckets are refused.`,
  ),
  'near-limit': warning<{
    of: 'buckets' | 'results' | 'reference';
    /** Empty if the value is the same for every client. */
    who: string;
    count: number;
    limit: number;
  }>('Client near a limit', ({ of, who, count, limit }) => {
    const client = who === '' ? 'Every client' : `A client with \`${who}\``;
    const given = 'No stream needs more of them than this one.';
    if (of === 'reference')
      return `${client} gets ${count} of the ${limit} results that PowerSync's service reads for one client. ${given} ${
        count > limit ? 'That service refuses the client.' : 'With more, that service refuses the client.'
      }`;
    return `${client} has ${count} of the ${limit} ${of} that one client may have. ${given} ${
      count > limit ? 'Streams are left out for it.' : 'With more, streams are left out for it.'
    }`;
  }),
  'unused-ignore': hint<{ code: string; why: 'unused' | 'unknown' | 'error' } & NearName>(
    'Unused ignore comment',
    (a) => {
      if (a.why === 'unknown') return `There is no code \`${a.code}\`.${didYouMean(a)}`;
      return a.why === 'error'
        ? `\`${a.code}\` is an error: a service would refuse the config, so it cannot be ignored.`
        : `\`${a.code}\` is not reported here. Remove this comment.`;
    },
  ),
  'row-not-compared': warning<{
    table: string;
    kind: 'widened' | 'everyone' | 'signed in' | 'any group' | 'client';
    list?: string;
  }>('Rows not compared with the user', ({ table, kind, list }) => {
    const advice = `Compare a column of \`${table}\` with it, or accept this with \`accept_potentially_dangerous_queries: true\`.`;
    switch (kind) {
      case 'widened':
        return `Every client gets the rows of \`${table}\` that match this alternative, because it compares them with nothing that the token says. Add a condition on the user to it, or accept this with \`accept_potentially_dangerous_queries: true\`.`;
      case 'everyone':
        return `Every client gets these rows of \`${table}\`, because no parameter query reads the token. Compare one with the user, or accept this with \`accept_potentially_dangerous_queries: true\`.`;
      case 'signed in':
        return `Every signed-in user gets these rows of \`${table}\`, because this condition is the same for all of the rows. ${advice.replace(' with it', ' with `auth.user_id()`')}`;
      case 'any group':
        return `Every user found in \`${list}\` gets these rows of \`${table}\`, because nothing compares a row of \`${table}\` with \`${list}\`. ${advice}`;
      case 'client':
        return `This condition says which clients get rows of \`${table}\`, but not which rows. ${advice}`;
    }
  }),
  'self-written-claim': warning<{ claim: string; writable: 'by the user' | 'unverified' | 'by the backend' }>(
    'Claim that users can write',
    ({ claim, writable }) =>
      writable === 'unverified'
        ? `Anybody can sign up with somebody else's address until it is verified, so \`${claim}\` alone proves nothing. Also require \`auth.parameter('email_verified')\`, or compare the user's id.`
        : `Users can change \`${claim}\` themselves, so it does not protect these rows. Use a claim that only the backend writes, such as one in \`app_metadata\`, or look the user up in a table.`,
  ),
  'abbreviated-output-table': warning<{ alias: string; table: string }>(
    'Abbreviation as the name of a table for clients',
    (a) => `Clients will see \`${a.table}\` as \`${a.alias}\`. If you mean that, write AS "${a.alias}".`,
  ),
} satisfies FindingGroup;

/** The maximum number of names in a message. */
const mostNames = 4;

function someOf(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => `\`${name}\``);
  return [...shown, ...(names.length > mostNames ? [`${names.length - mostNames} more`] : [])].join(', ');
}
