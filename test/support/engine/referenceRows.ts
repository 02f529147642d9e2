/** The reference engine as a black box, which puts rows into buckets and returns the buckets of requests. */
import * as sqlite from 'node:sqlite';
import {
  BaseJwtPayload,
  DEFAULT_HYDRATION_STATE,
  nodeSqlite,
  RequestParameters,
  SqlSyncRules,
} from '@powersync/service-sync-rules';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';

type Row = Readonly<Record<string, SqlValue>>;

interface EvaluatedRow {
  readonly bucket: string;
  readonly table: string;
  readonly id: string;
  readonly data: Row;
}

export interface ReferenceResult {
  readonly rows: readonly EvaluatedRow[];
  readonly failed: boolean;
}

export type ReferenceRows = (table: string, record: Row) => ReferenceResult;

/** Returns the function with which the reference engine evaluates rows, for a config that the engine accepts. */
export function referenceRows(yaml: string): ReferenceRows {
  const hydrated = hydrate(yaml);
  return (name, record) => {
    const { results, errors } = hydrated.evaluateRowWithErrors({ sourceTable: tableOf(name), record });
    return { rows: results, failed: errors.length > 0 };
  };
}

export interface ReferenceRequest {
  readonly claims: object;
  readonly connection: object;
  readonly subscriptions: readonly { readonly stream: string; readonly parameters: object }[];
}

interface ReferenceAnswer {
  readonly buckets: ReadonlySet<string>;
  readonly errors: readonly unknown[];
}

export interface ReferenceEvaluation {
  readonly outputs: readonly EvaluatedRow[];
  readonly addRow: (table: string, record: Row) => ReferenceResult;
  /** Removes all rows that were added. */
  readonly clear: () => void;
  /** Returns the ids of the buckets of a request, and the errors of the request. */
  readonly answer: (request: ReferenceRequest) => Promise<ReferenceAnswer>;
  /** Returns only the ids of the buckets of a request. */
  readonly buckets: (request: ReferenceRequest) => Promise<ReadonlySet<string>>;
  /** Returns the number of values that the lookups of a request read. A value that is read twice counts twice. */
  readonly results: (request: ReferenceRequest) => Promise<number>;
}

/** Evaluates both rows and requests with the reference engine. The storage of its lookups is a map. */
export function referenceEvaluation(yaml: string): ReferenceEvaluation {
  const hydrated = hydrate(yaml);
  const outputs: EvaluatedRow[] = [];
  const stored = new Map<string, Row[]>();
  return {
    outputs,
    addRow: (name, record) => {
      const { results, errors } = hydrated.evaluateRowWithErrors({ sourceTable: tableOf(name), record });
      outputs.push(...results);
      const entries = hydrated.evaluateParameterRow(tableOf(name), record);
      for (const { lookup, bucketParameters } of entries) {
        if (lookup === undefined) continue;
        const key = keyOf(lookup);
        stored.set(key, [...(stored.get(key) ?? []), ...(bucketParameters ?? [])]);
      }
      const failed = errors.length > 0 || entries.some(({ lookup }) => lookup === undefined);
      return { rows: results, failed };
    },
    clear: () => {
      outputs.length = 0;
      stored.clear();
    },
    answer: evaluate,
    buckets: async (request) => (await evaluate(request)).buckets,
    results: async (request) => (await evaluate(request)).results,
  };

  async function evaluate(request: ReferenceRequest) {
    const { querier, errors } = hydrated.getBucketParameterQuerier(asking(request));
    let results = 0;
    const getParameterSets = async (lookups: readonly Lookup[]) =>
      lookups.map((lookup) => {
        const rows = stored.get(keyOf(lookup)) ?? [];
        results += rows.length;
        return { lookup, rows };
      });
    const dynamic = await querier.queryDynamicBucketDescriptions({ getParameterSets });
    const buckets = new Set([...querier.staticBuckets, ...dynamic].map(({ bucket }) => bucket));
    return { buckets, errors, results };
  }
}

function asking({ claims, connection, subscriptions }: ReferenceRequest): object {
  const streams: Record<string, object[]> = {};
  for (const [index, { stream, parameters }] of subscriptions.entries()) {
    streams[stream] = [...(streams[stream] ?? []), { opaque_id: index, parameters }];
  }
  return {
    globalParameters: new RequestParameters(new BaseJwtPayload(claims as never), connection as never),
    hasDefaultStreams: true,
    streams,
  };
}

function keyOf({ values }: Lookup): string {
  return JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
}

function tableOf(name: string): object {
  return { connectionTag: 'default', schema: 'public', name };
}

function hydrate(yaml: string): HydratedRow {
  const { config } = SqlSyncRules.fromYaml(yaml, {
    throwOnError: true,
    defaultSchema: 'public',
    schema: undefined,
  } as never) as never as { config: { hydrate(settings: object): HydratedRow } };
  return config.hydrate({ hydrationState: DEFAULT_HYDRATION_STATE, sqlite: nodeSqlite(sqlite as never) });
}

interface Lookup {
  readonly values: readonly unknown[];
}

/** The part of the reference engine's interface that is used here. */
interface HydratedRow {
  evaluateRowWithErrors(input: object): {
    readonly results: readonly EvaluatedRow[];
    readonly errors: readonly unknown[];
  };
  evaluateParameterRow(
    table: object,
    record: Row,
  ): readonly { readonly lookup?: Lookup; readonly bucketParameters?: readonly Row[] }[];
  getBucketParameterQuerier(request: object): {
    readonly querier: {
      readonly staticBuckets: readonly { readonly bucket: string }[];
      queryDynamicBucketDescriptions(storage: object): Promise<readonly { readonly bucket: string }[]>;
    };
    readonly errors: readonly unknown[];
  };
}
