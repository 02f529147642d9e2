/**
 * Why our verdict may differ from that of the reference (0.38.1), kind by kind. A difference that none of these
 * explains is a defect, of ours or of this list.
 */
import { parse } from 'yaml';
import type { Code } from '../../server/engine/diagnostics.ts';
import type { Opinion } from './reference.ts';

export interface Ours extends Opinion {
  /** Codes of our errors. */
  readonly codes: readonly Code[];
}

/** The reasons, if it can be explained. */
export function explain(text: string, ours: Ours, reference: Opinion): readonly string[] {
  if (ours.verdict === 'crash') return [];
  if (reference.verdict === 'crash') return ['the reference throws instead of reporting'];
  if (ours.verdict === 'valid')
    return acceptedByUs.filter(({ applies }) => applies(text, reference)).map(({ reason }) => reason);
  const reasons = [...new Set(ours.codes)].map((code) => refusedByUs[code]);
  return reasons.every((reason) => reason !== undefined) ? reasons : [];
}

/** Errors of ours for what the reference accepts, or accepts before version 0.40. */
const refusedByUs: Readonly<Partial<Record<Code, string>>> = {
  'operator-not-evaluable': 'compiles, but fails for every row',
  'function-not-evaluable': 'compiles, but the plan cannot be loaded',
  'unknown-table-function': 'compiles, but the plan cannot be loaded',
  'unknown-function-column': 'compiles, and is NULL',
  'in-single-value': 'compiles, but fails for every row',
  'negated-subquery': 'tested row for row: rows leak',
  'cte-in-cte': 'compiles, but names a table that does not exist',
  'connection-tag-ignored': 'the tag is dropped, another connection is read',
  'same-parameter-twice': 'only the first condition is enforced: rows leak',
  'star-subquery': 'the condition is dropped: rows leak',
  'wildcard-filter': 'the filter never matches',
  'sqlite-engine-needs-edition-3': 'not checked before 0.40',
  'expected-string': 'names that are no text are accepted before 0.40',
  'unknown-key': 'not checked everywhere before 0.40',
  'yaml-too-deep': 'our limit',
  'yaml-too-long': 'our limit',
};

/** What the reference refuses in version 0.38.1, and accepts in 0.40. */
const acceptedByUs: readonly {
  readonly reason: string;
  readonly applies: (text: string, reference: Opinion) => boolean;
}[] = [
  {
    reason: 'row metadata came with 0.40',
    applies: (_, { errors }) =>
      errors.every(
        ({ message, marked }) =>
          /\.(schema|table_name|table_suffix)$/i.test(withoutEscapes(marked)) ||
          // What follows when it was the only column.
          message === 'Must have a result column selecting from a table',
      ),
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

/** What YAML reads from double-quoted text with escapes such as `\x61` and `\u0061`. */
function withoutEscapes(text: string): string {
  return text.replace(/\\(?:x(\w{2})|u(\w{4}))/g, (_, short: string, long: string) =>
    String.fromCharCode(Number.parseInt(short ?? long, 16)),
  );
}
