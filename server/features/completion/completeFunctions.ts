/** Completes functions with their signatures, and functions that read the request. */
import { functions, type RequestFunction, requestFunctions } from '../../engine/sql/functions.ts';
import { explainFunction } from '../explain/explainFunctions.ts';
import type { Completion, Insert } from './item.ts';
import type { SqlContext } from './sqlContext.ts';

export function completeFunctions(context: SqlContext): readonly Completion[] {
  const { span, place, isCall } = context;
  const world = place.role === 'stream' || place.role === 'cte' ? 'streams' : 'before 3';
  const runsInSqlite = context.analysis.config?.surroundings.options.sqliteEngine === true;
  return [...functions.values()]
    .filter((of) => (of.only ?? world) === world && !(runsInSqlite && of.notInSqlite))
    .map((of) => ({
      label: of.name,
      kind: 'function',
      detail: of.signature,
      insert: isCall ? [of.name] : [`${of.name}(`, { stop: '' }, ')'],
      span,
      rank: 6,
      docs: () => explainFunction({ kind: 'plain', of }),
    }));
}

/** Completes entire calls such as `auth.user_id()`. */
export function completeRequest(context: SqlContext): readonly Completion[] {
  const { place, span } = context;
  const called = legalRequests(context).map((of) => offerRequest(context, of, `${of.schema}.`));
  const tables = { parameters: ['token_parameters', 'user_parameters'], data: ['bucket'] } as const;
  const older = place.role === 'parameters' || place.role === 'data' ? tables[place.role] : [];
  return [
    ...called,
    ...older.map(
      (name): Completion => ({
        label: name,
        kind: 'schema',
        detail: name === 'bucket' ? 'parameters of the bucket' : 'older form of request.…',
        insert: [`${name}.`],
        span,
        rank: name === 'bucket' ? 3 : 8,
        continues: true,
      }),
    ),
  ];
}

/** Completes names after `auth.` */
export function completeRequestMembers(context: SqlContext, schema: string): readonly Completion[] {
  return legalRequests(context)
    .filter((of) => of.schema === schema)
    .map((of) => offerRequest(context, of, ''));
}

/** Returns the request functions that are allowed here. The SELECT list of a stream can contain only columns of its rows. */
function legalRequests({ place, position }: SqlContext): readonly RequestFunction[] {
  if (place.role === 'data' || place.role === 'payload') return [];
  if (place.role !== 'parameters' && position.clause === 'columns') return [];
  const scope = place.role === 'parameters' ? 'parameter query' : 'streams';
  return requestFunctions.filter((of) => of.scope === scope);
}

function offerRequest(context: SqlContext, of: RequestFunction, prefix: string): Completion {
  const name = prefix + of.name;
  return {
    label: `${name}()`,
    kind: 'function',
    detail: of.clientControlled ? 'chosen by the client' : 'signed',
    insert: context.insert(callOf(name, of, prefix === '' ? context.isCall : context.dotted.isCall)),
    span: prefix === '' ? context.span : context.dotted.span,
    rank: rankOf(context, of),
    filter: name,
    ...(of.max > 0 && { continues: true }),
    docs: () => explainFunction({ kind: 'request', of }),
  };
}

/** Ranks a request function. In a parameter query, the id of the user comes first. */
function rankOf({ place, position }: SqlContext, { name }: RequestFunction): number {
  if (place.role !== 'parameters' || position.previous !== 'select') return 4;
  return name === 'user_id' ? 0 : 2;
}

function callOf(name: string, { max }: RequestFunction, isCall: boolean): Insert {
  if (isCall) return [name];
  return max === 0 ? [`${name}()`] : [`${name}('`, { stop: '' }, "')"];
}
