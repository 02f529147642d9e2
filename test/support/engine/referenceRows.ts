/** The reference engine as a black box that puts rows into buckets, and gives buckets to requests. */
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

/** Its answers for the rows of a config that it accepts. */
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
  /** Forgets the rows that were added. */
  readonly clear: () => void;
  /** Ids of the buckets of a request, and its errors. */
  readonly answer: (request: ReferenceRequest) => Promise<ReferenceAnswer>;
  /** Ids of the buckets of a request, over the rows that were added. */
  readonly buckets: (request: ReferenceRequest) => Promise<ReadonlySet<string>>;
  /** Returns the number of values that its lookups read. A value that is read twice counts twice. */
  readonly results: (request: ReferenceRequest) => Promise<number>;
}

/** Its rows and requests together, over a storage that is a map. */
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

/** The part of its interface that is used here. */
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
