/**
 * Why our verdict may differ from that of the reference (0.38.1), kind by kind. A difference that none of these
 * explains is a defect, of ours or of this list.
 */
import { parse } from 'yaml';
import { type Code, severityOf } from '../../server/engine/diagnostics/diagnostics.ts';
import { analyze } from '../../server/engine/index.ts';
import { type Opinion, referenceOpinion } from './reference.ts';

export interface Ours extends Opinion {
  /** Codes of our errors. */
  readonly codes: readonly Code[];
}

/** The reasons, if it can be explained. */
export function explain(text: string, ours: Ours, reference: Opinion): readonly string[] {
  if (ours.verdict === 'crash') return [];
  if (reference.verdict === 'crash') {
    if (ours.verdict === 'invalid') return ['the reference throws instead of reporting'];
    return crashes.test(reference.notes.join()) ? ['the reference throws on what is fine'] : [];
  }
  if (ours.verdict === 'valid')
    return acceptedByUs.filter(({ applies }) => applies(text, reference)).map(({ reason }) => reason);
  // The reference drops everything in such a subquery.
  const codes = ours.codes.includes('star-subquery') ? ['star-subquery' as const] : ours.codes;
  const reasons = [...new Set(codes)].map((code) => refusedByUs[code]);
  if (!reasons.every((reason) => reason !== undefined) && isDroppedInEdition2(text))
    return ['edition 2 drops a condition whose subquery selects what it cannot read: rows leak'];
  return reasons.every((reason) => reason !== undefined) ? reasons : [];
}

/** A condition under several NOT; a wildcard table without alias in some places. */
const crashes = /DNF transformation|name for wildcard table/;

/** Errors of ours for what the reference accepts, or accepts before version 0.40. */
const refusedByUs: Readonly<Partial<Record<Code, string>>> = {
  'operator-not-evaluable': 'compiles, but fails for every row',
  'function-not-evaluable': 'compiles, but the plan cannot be loaded',
  'unknown-table-function': 'compiles, but the plan cannot be loaded',
  'unknown-function-column': 'compiles, and is NULL',
  'in-single-value': 'compiles, but fails for every row',
  'negated-subquery': 'tested row for row: rows leak',
  'negated-in-expansion': 'tested element for element: rows leak',
  'cte-in-cte': 'compiles, but names a table that does not exist',
  'connection-tag-ignored': 'the tag is dropped, another connection is read',
  'same-parameter-twice': 'only the first condition is enforced: rows leak',
  'star-subquery': 'the condition is dropped: rows leak',
  'wildcard-filter': 'the filter never matches',
  'duplicate-column': 'one name for two parameters: no data query can use it',
  'sqlite-engine-needs-edition-3': 'not checked before 0.40',
  'expected-string': 'names that are no text are accepted before 0.40',
  'unknown-key': 'not checked everywhere before 0.40',
  'yaml-too-deep': 'our limit',
  'yaml-too-long': 'our limit',
};

/** Whether we refuse only the selection of a subquery of edition 2. */
function isDroppedInEdition2(text: string): boolean {
  if (!/^\s*edition:\s*2\b/m.test(text)) return false;
  const readable = text.replaceAll(/(\(\s*select\s+)[^()]*?(\s+from\b)/gi, '$1id$2');
  const errors = analyze(readable, { kind: 'sync' }).findings.filter(
    ({ code }) => severityOf(code) === 'error',
  );
  // Dropped parts do not need a parameter of the request.
  return readable !== text && errors.every(({ code }) => code === 'subquery-without-parameter');
}

/** Texts that the reference refuses in version 0.38.1, and accepts in 0.40. */
const acceptedByUs: readonly {
  readonly reason: string;
  readonly applies: (text: string, reference: Opinion) => boolean;
}[] = [
  {
    reason: 'row metadata came with 0.40',
    applies: (text) => referenceOpinion(text.replace(metadata, '.id')).verdict === 'valid',
  },
  {
    reason: 'a stream of edition 2 needs no query since 0.40',
    applies: (text, { errors }) =>
      errors.every(({ message }) => message === 'Must be a string.') && hasStreamWithoutQuery(text),
  },
];

function hasStreamWithoutQuery(text: string): boolean {
  const { config, streams }: { config?: { edition?: unknown }; streams?: object } = parse(text);
  return config?.edition === 2 && Object.values(streams ?? {}).some((stream) => !('query' in stream));
}

/** Calls such as `boats.table_name()`, also with escapes of double-quoted text in them. */
const metadata = new RegExp(
  `\\.(?:${['schema', 'table_name', 'table_suffix'].map(withEscapes).join('|')})\\s*\\(\\s*\\)`,
  'gi',
);

function withEscapes(word: string): string {
  return word.replace(/\w/g, String.raw`(?:$&|\\x\w{2}|\\u\w{4})`);
}
