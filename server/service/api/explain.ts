/**
 * Lists the rows of a table that a client has, and explains why it does not have the others. Rows are read from the source, a
 * page at a time, and traced with the code that syncs them. The request contains the client's stream request, with claims instead
 * of a token.
 */

import {
  absencesOf,
  documentOf,
  jsonValue,
  type LookupAnswer,
  type Row,
  requestReads,
  type SourceRow,
  tableNamed,
  traceConfig,
} from '../../engine/index.ts';
import { tablesOf } from '../../engine/plan/evaluate/evaluate.ts';
import { matchesTable } from '../../engine/plan/evaluate/patterns.ts';
import type { SourceTable } from '../../engine/plan/evaluate/scope.ts';
import type { RequestTrace, RequestTracing } from '../../engine/plan/evaluate/traceRequest.ts';
import { isJsonObject, type Json, readJson, writeJson } from '../../engine/plan/values/json.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import { distinctValues } from '../ground/distinctValues.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Call, Parameters } from '../http/route.ts';
import { readRequestBody } from '../sync/connect.ts';
import { problemsInStreamRequest, readStreamRequest } from '../sync/request.ts';
import { allowText } from './parameters.ts';
import type { ApiParts } from './parts.ts';
import { readRecords } from './records.ts';

/** The maximum number of rows in one answer, and of values that may be looked up for a client. */
const most = { rows: 200, values: 100_000 };

export function problemsInExplain(parameters: Parameters): readonly string[] {
  const { claims, table, after } = parameters;
  const isPlace = after === undefined || /^(\(\d{1,10},\d{1,5}\))?$/.test(String(after));
  return [
    ...problemsInStreamRequest(parameters),
    ...(isJsonObject(claims as Json)
      ? []
      : [`The property 'claims' must be an object, such as {"sub": "ada"}.`]),
    ...(typeof table === 'string' ? [] : [`The property 'table' must be the name of a table of the source.`]),
    ...['schema', 'search', 'after'].flatMap((name) => allowText(name)(parameters)),
    ...(isPlace ? [] : [`The property 'after' must come from an earlier answer.`]),
  ];
}

type Answer = Readonly<Record<string, unknown>>;

export async function explainRows(
  call: Pick<Call, 'parameters' | 'text' | 'signal'>,
  parts: ApiParts,
): Promise<Answer> {
  const { serving } = situationOf(await parts.store.all());
  const config = serving && parts.configs.of(serving).analysis.config;
  if (serving === undefined || config === undefined) throw new ServiceError('SVC_S4104');
  const table = tableOf(call.parameters, parts);
  const tracing = traceConfig(config);
  const reading = parts.storage.reader(serving.id);
  const checkpoint = await reading.checkpoint();
  if (checkpoint === undefined) throw new ServiceError('SVC_S2302');
  const body = readRequestBody(call.text);
  const claims = documentOf(body.claims as SourceRow);
  const request = await answerLookups(
    tracing.tracer.request({ ...readStreamRequest(body).sync, claims }),
    (keys) => reading.lookups(checkpoint.opId, keys, most.values),
  );
  const isRead = tablesOf(parts.configs.of(serving).plans).some((pattern) => matchesTable(pattern, table));
  const { records, ...end } = isRead ? await readPage(call, table, parts) : { records: [] };
  return {
    content: serving.content,
    checkpoint: String(checkpoint.opId),
    is_read: isRead,
    buckets: request.result.buckets.map(({ bucket }) => bucket),
    rows: records.map((text) => {
      const row = tracing.recordOf(text);
      if (row === undefined) return { data: '{}', bytes: {}, targets: [], reasons: [] };
      const rules = tracing.tracer.row(table, row);
      const reasons = absencesOf(config, rules, request);
      const targets = rules.flatMap((rule) => rule.rows.map(({ table: name, id }) => ({ table: name, id })));
      return { ...describeRow(row), targets: distinctValues(targets), reasons: jsonValue(reasons) };
    }),
    ...end,
  };
}

async function answerLookups(
  tracing: RequestTracing,
  read: (keys: readonly string[]) => Promise<LookupAnswer>,
): Promise<RequestTrace> {
  let step = tracing.next(new Map());
  while (!step.done) {
    const answer = await read(step.value);
    let values = 0;
    for (const sets of answer.values()) values += sets.length;
    if (values > most.values)
      throw new ServiceError('SVC_S2305', `More than ${most.values} values are looked up for this client.`);
    step = tracing.next(answer);
  }
  return step.value;
}

/** Returns the table. Without `schema`, the name may begin with a schema and a dot. */
function tableOf({ table, schema }: Parameters, { source }: ApiParts): SourceTable {
  const name = String(table);
  return typeof schema === 'string' ? { tag: source.tag, schema, name } : tableNamed(name, source);
}

interface Page {
  readonly records: readonly string[];
  /** The start of the next page; absent at the end of the table. */
  readonly after?: string | undefined;
  /** The reason why there are no rows. */
  readonly problem?: string;
}

/** Reads rows of the source, if the service config allows it. */
async function readPage(
  { parameters, signal }: Pick<Call, 'parameters' | 'signal'>,
  table: { readonly schema: string; readonly name: string },
  { source, debugApi }: ApiParts,
): Promise<Page> {
  if (!debugApi) return { records: [], problem: 'SQL querying is not enabled' };
  const { search = '', after } = parameters as { readonly search?: string; readonly after?: string };
  const wanted = { table, search, after: after || undefined, limit: most.rows };
  try {
    const { records, after: next } = await readRecords(source, wanted, signal);
    return { records, after: next };
  } catch (error) {
    return { records: [], problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns a row as devices get it: JSON with all digits of each number. Values of bytes are replaced by their length. */
function describeRow(row: Row): { readonly data: string; readonly bytes: Answer } {
  const bytes: Record<string, number> = {};
  const columns: string[] = [];
  for (const [name, value] of Object.entries(row)) {
    if (value instanceof Uint8Array) bytes[name] = value.length;
    else columns.push(`${JSON.stringify(name)}:${writeJson(value)}`);
  }
  return { data: `{${columns.join(',')}}`, bytes };
}

export function problemsInStreams(parameters: Parameters): readonly string[] {
  return ['user_id', 'client_id'].flatMap((name) => allowText(name)(parameters));
}

/**
 * Answers with the streams that a client can ask for, and with the claims and parameters that decide what it gets. For a
 * connected client, these are the client's actual values.
 */
export async function answerStreams(parameters: Parameters, parts: ApiParts): Promise<Answer> {
  const { serving } = situationOf(await parts.store.all());
  if (serving === undefined) throw new ServiceError('SVC_S4104');
  const { plans } = parts.configs.of(serving);
  const namesOf = (part: string, some: typeof plans): readonly string[] =>
    distinctValues(
      some.flatMap((plan) =>
        requestReads(plan).flatMap((read) => (read.part === part ? read.path.slice(0, 1) : [])),
      ),
    );
  const claims = namesOf('auth', plans);
  const { user_id: user, client_id: id } = parameters;
  const client = parts.clients().find(({ userId, clientId }) => userId === user && clientId === id);
  return {
    streams: plans.map((plan) => ({
      name: plan.name,
      is_default: plan.isDefault,
      parameters: namesOf('subscription', [plan]),
    })),
    claims,
    parameters: namesOf('connection', plans),
    ...(client && {
      client: {
        claims: pickClaims(readJson(client.claims), claims),
        parameters: jsonValue(client.connection.json),
      },
    }),
  };
}

/** Returns only the claims that the config reads, because the others are not needed here. */
function pickClaims(document: Json, names: readonly string[]): Answer {
  const all = isJsonObject(document) ? document : {};
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(all, name) ? [[name, jsonValue(all[name])]] : [])),
  );
}
