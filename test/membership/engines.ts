/**
 * Computes which rows each request gets, with our engine and with the reference: the rows that share a bucket with the
 * request.
 */
import { analyze, messageOf, severityOf } from '../../server/engine/index.ts';
import { toConfigEvaluator } from '../../server/engine/plan/evaluate/evaluate.ts';
import type { SyncRequest } from '../../server/engine/plan/evaluate/requests.ts';
import { requestDocument } from '../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../server/engine/plan/values/value.ts';
import { finish } from '../support/engine/evaluation.ts';
import { plansOf } from '../support/engine/plans.ts';
import { referenceEvaluation } from '../support/engine/referenceRows.ts';
import type { Query } from './query.ts';
import type { Record_, Request_, World } from './world.ts';

/** The sorted ids of the rows that each request gets. */
export type Membership = readonly (readonly string[])[];

/** Returns a config with one stream for each list of queries. */
export function configOf(streams: readonly (readonly Query[])[]): string {
  const texts = streams.map((queries, i) => {
    const ctes = queries.flatMap((query) => Object.entries(query.ctes));
    return [
      `  s${i}:`,
      `    accept_potentially_dangerous_queries: true`,
      ...(ctes.length > 0 ? ['    with:'] : []),
      ...ctes.map(([name, text]) => `      ${name}: ${JSON.stringify(text)}`),
      `    queries:`,
      ...queries.map(({ stream }) => `      - ${JSON.stringify(stream)}`),
    ].join('\n');
  });
  return `config:\n  edition: 3\nstreams:\n${texts.join('\n')}\n`;
}

/** Returns our errors for a config. */
export function ourErrors(config: string): readonly string[] {
  return analyze(config, { kind: 'sync' })
    .findings.filter(({ code }) => severityOf(code) === 'error')
    .map((finding) => `${finding.code}: ${messageOf(finding)}`);
}

export function ourMembership(config: string, streams: number, { rows, requests }: World): Membership {
  const { plans, options } = plansOf(config);
  const evaluator = toConfigEvaluator(plans, { options });
  const results = rows.map(({ table, record }) =>
    evaluator.rowsOf({ tag: 'default', schema: 'public', name: table })(sqlRow(record)),
  );
  const outputs = results.flatMap((result) => result.rows);
  const entries = results.flatMap((result) => result.entries);
  return requests.map((request) => {
    const { buckets } = finish(evaluator.request(syncRequest(request, streams)), entries);
    return reached(outputs, new Set(buckets.map(({ bucket }) => bucket)));
  });
}

/** Returns a request with one subscription to each stream. */
export function syncRequest(request: Request_, streams: number): SyncRequest {
  return {
    claims: requestDocument(JSON.stringify(request.claims)),
    connection: requestDocument(JSON.stringify(request.connection)),
    includeDefaults: true,
    subscriptions: streamNames(streams).map((stream) => ({
      stream,
      parameters: requestDocument(JSON.stringify(request.parameters)),
    })),
  };
}

export async function referenceMembership(
  config: string,
  streams: number,
  { rows, requests }: World,
): Promise<Membership> {
  const evaluation = referenceEvaluation(config);
  for (const { table, record } of rows) evaluation.addRow(table, sqlRow(record));
  return Promise.all(
    requests.map(async (request) =>
      reached(evaluation.outputs, await evaluation.buckets(askFor(request, streams))),
    ),
  );
}

export function askFor(request: Request_, streams: number) {
  return {
    claims: request.claims,
    connection: request.connection,
    subscriptions: streamNames(streams).map((stream) => ({ stream, parameters: request.parameters })),
  };
}

function streamNames(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `s${i}`);
}

function reached(
  outputs: readonly { readonly bucket: string; readonly id: string }[],
  buckets: ReadonlySet<string>,
): readonly string[] {
  const found = outputs.filter(({ bucket }) => buckets.has(bucket)).map(({ id }) => id);
  return [...new Set(found)].sort();
}

export function sqlRow(record: Record_): Readonly<Record<string, SqlValue>> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, typeof value === 'number' ? BigInt(value) : value]),
  );
}
