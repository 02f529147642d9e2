/** The answers of both engines for one config: the results for a row, and the buckets that a request selects. */
import { toConfigEvaluator } from '../../server/engine/plan/evaluate/evaluate.ts';
import type { LookupRecord } from '../../server/engine/plan/evaluate/rows.ts';
import { requestDocument } from '../../server/engine/plan/evaluate/scope.ts';
import { writeReal } from '../../server/engine/plan/values/json.ts';
import type { SqlValue } from '../../server/engine/plan/values/value.ts';
import { finish } from '../support/engine/evaluation.ts';
import { plansOf } from '../support/engine/plans.ts';
import { referenceEvaluation } from '../support/engine/referenceRows.ts';

export type Row = Readonly<Record<string, SqlValue>>;

/** The members of a token and of the parameters, as JSON texts. */
export type Request = Readonly<Record<'a' | 'b' | 'c', string>>;

export interface Engine {
  readonly row: (row: Row) => string;
  readonly request: (request: Request, user?: string) => Promise<string>;
}

export function ourEngine(config: string): Engine {
  const { plans, options } = plansOf(config);
  const evaluator = toConfigEvaluator(plans, { options });
  const rowsOf = evaluator.rowsOf({ tag: 'default', schema: 'public', name: 't' });
  let entries: readonly LookupRecord[] = [];
  return {
    row: (row) => {
      const result = rowsOf(row);
      entries = result.entries;
      if (result.failures.length > 0) return 'failed';
      return sorted(result.rows.map(({ bucket, data }) => `${bucket} ${data}`));
    },
    request: async (request, user = 'u') => {
      const { buckets, failures } = finish(
        evaluator.request({
          claims: requestDocument(documentOf(request, user)),
          connection: requestDocument(documentOf(request, user)),
          includeDefaults: false,
          subscriptions: [{ stream: 's', parameters: requestDocument(documentOf(request, user)) }],
        }),
        entries,
      );
      return answer(buckets, failures);
    },
  };
}

export function referenceEngine(config: string): Engine {
  const evaluation = referenceEvaluation(config);
  return {
    row: (row) => {
      evaluation.clear();
      const { rows, failed } = evaluation.addRow('t', row);
      if (failed) return 'failed';
      return sorted(rows.map(({ bucket, data }) => `${bucket} ${dataText(data)}`));
    },
    request: async (request, user = 'u') => {
      const parameters = JSON.parse(documentOf(request, user)) as object;
      const asked = {
        claims: parameters,
        connection: parameters,
        subscriptions: [{ stream: 's', parameters }],
      };
      try {
        const { buckets, errors } = await evaluation.answer(asked);
        return answer(
          [...buckets].map((bucket) => ({ bucket })),
          errors,
        );
      } catch {
        // Static queries of bucket definitions throw, which ends the connection of a client.
        return 'failed';
      }
    },
  };
}

function documentOf({ a, b, c }: Request, user: string): string {
  return `{"sub":${JSON.stringify(user)},"user_id":${JSON.stringify(user)},"a":${a},"b":${b},"c":${c}}`;
}

function answer(buckets: readonly { readonly bucket: string }[], failures: readonly unknown[]): string {
  return [...buckets.map(({ bucket }) => bucket).sort(), ...(failures.length > 0 ? ['failed'] : [])].join(
    ' ',
  );
}

function sorted(lines: readonly string[]): string {
  return [...lines].sort().join(' ');
}

/** Returns the data as clients receive it, without blobs. */
function dataText(data: Row): string {
  const pairs = Object.entries(data).flatMap(([name, value]) => {
    if (value === undefined || value instanceof Uint8Array) return [];
    return [
      `${JSON.stringify(name)}:${typeof value === 'number' ? writeReal(value) : typeof value === 'bigint' ? value : JSON.stringify(value)}`,
    ];
  });
  return `{${pairs.join(',')}}`;
}
