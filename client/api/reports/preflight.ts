/** Reads the report of a service's preflight about its source: see `server/service/replication/preflight.ts`. */
import { fieldsOf, isObject, listOf, textIn } from '../reading.ts';

export interface Preflight {
  /** The address of the source, without credentials. */
  readonly source: string;
  readonly checks: readonly PreflightCheck[];
}

export type PreflightCheck =
  | { readonly id: string; readonly state: 'ok'; readonly message: string }
  | { readonly id: string; readonly state: 'failed'; readonly problems: readonly PreflightProblem[] }
  | { readonly id: string; readonly state: 'unchecked'; readonly why: string };

interface PreflightProblem {
  readonly level: 'warning' | 'fatal';
  readonly code: string;
  readonly cause: string;
  readonly remedy: string;
}

/** Reads the data of an answer, or the output of `test-connection --json`. Undefined if the value is neither. */
export function readPreflight(value: unknown): Preflight | undefined {
  const fields = fieldsOf(value);
  const data = isObject(fields.data) ? fields.data : fields;
  const source = textIn(data, 'source');
  if (source === undefined || !Array.isArray(data.checks)) return undefined;
  return { source, checks: data.checks.map(readCheck) };
}

/** Reads the answer about the keys that verify client tokens, which has the form of one check. */
export function readKeyCheck(value: unknown): PreflightCheck | undefined {
  const { data } = fieldsOf(value);
  return isObject(data) ? readCheck(data) : undefined;
}

/** An unknown state counts as unchecked, because it proves nothing. */
function readCheck(value: unknown): PreflightCheck {
  const fields = fieldsOf(value);
  const id = textIn(fields, 'id') ?? '';
  switch (fields.state) {
    case 'ok':
      return { id, state: 'ok', message: textIn(fields, 'message') ?? '' };
    case 'failed':
      return { id, state: 'failed', problems: listOf(fields.problems).map(readProblem) };
    default:
      return { id, state: 'unchecked', why: textIn(fields, 'why') ?? '' };
  }
}

function readProblem(value: unknown): PreflightProblem {
  const fields = fieldsOf(value);
  const text = (name: string): string => textIn(fields, name) ?? '';
  return {
    level: fields.level === 'warning' ? 'warning' : 'fatal',
    code: text('code'),
    cause: text('cause'),
    remedy: text('remedy'),
  };
}
