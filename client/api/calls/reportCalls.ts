/** Calls for reports of a service about itself and its database. */
import { t } from '../../l10n.ts';
import { type Diagnosis, diagnosisPath, readDiagnosis, readResult } from '../answers.ts';
import { ApiFailure } from '../failure.ts';
import { type Forecast, readForecast, readGivenForecast } from '../forecast.ts';
import { deployedConfigsPath, type ReportedConfig, readDeployedConfigs } from '../reports/deployedConfigs.ts';
import { type Preflight, type PreflightCheck, readKeyCheck, readPreflight } from '../reports/preflight.ts';
import { readScripts, type ScriptReport } from '../reports/scripts.ts';
import { readVerification, type Verification } from '../reports/verification.ts';
import { type Caller, callLimits, post } from './caller.ts';

export interface ReportCalls {
  diagnose(asked?: DiagnoseOptions, signal?: AbortSignal): Promise<Diagnosis>;
  /** Returns each deployed config once, newest first. Undefined if the service does not list them. */
  deployedConfigs(signal?: AbortSignal): Promise<readonly ReportedConfig[] | undefined>;
  /** Returns the entire answer, in the form that the language server and snapshot files use. */
  schema(signal?: AbortSignal): Promise<unknown>;
  /** Starts a comparison of the storage with the source; {@link verification} reports when it is done. */
  verify(repair: 'repair' | 'only compare', signal?: AbortSignal): Promise<Verification>;
  verification(id: number, signal?: AbortSignal): Promise<Verification>;
  /** Returns the amounts that the clients of the active config get. Only our service reports them. */
  forecast(signal?: AbortSignal): Promise<Forecast>;
  /** Returns the amounts of another config. Undefined if the service does not report them. */
  forecastOf(
    content: string,
    streams?: readonly string[],
    signal?: AbortSignal,
  ): Promise<Forecast | undefined>;
  /** Checks whether the source can be replicated for a sync config. Undefined if the service has no such check. */
  preflight(content?: string, signal?: AbortSignal): Promise<Preflight | undefined>;
  /** Checks whether the service has keys that verify client tokens. Undefined if the service has no such check. */
  clientKeys(signal?: AbortSignal): Promise<PreflightCheck | undefined>;
  /** Returns the report about the scripts of the service's own database. */
  scripts(signal?: AbortSignal): Promise<ScriptReport>;
  /** Drops the service's own database, and creates it again from its scripts. The service refuses to reset any other database. */
  resetDatabase(rows: 'seeds' | 'none', signal?: AbortSignal): Promise<ScriptReport>;
  /** Runs a query if the service allows it; otherwise the error contains the reason. The values in rows are JSON values. */
  query(sql: string, values: readonly string[], signal?: AbortSignal): Promise<readonly QueriedRow[]>;
}

type QueriedRow = Readonly<Record<string, unknown>>;

export interface DiagnoseOptions {
  readonly content?: boolean;
  /** Whether to include clients. Services that do not support this option omit them. */
  readonly clients?: boolean;
  /** Whether to include the number of buckets of each stream. Services that do not support this option omit it. */
  readonly buckets?: boolean;
}

export function reportCalls({ address, ask, askFor, askIfKnown }: Caller): ReportCalls {
  const verify = (body: object, limit: number, signal: AbortSignal | undefined) =>
    askFor(post('/api/admin/v1/verify', limit, body), readVerification, signal);
  return {
    diagnose: (asked = {}, signal) =>
      askFor(
        post(diagnosisPath, callLimits.diagnose, {
          ...(asked.content && { sync_rules_content: true }),
          ...(asked.clients && { connected_clients: true }),
          ...(asked.buckets && { bucket_counts: true }),
        }),
        (value, { at }) => readDiagnosis(value, at),
        signal,
      ),
    deployedConfigs: (signal) =>
      askIfKnown(
        post(deployedConfigsPath, callLimits.diagnose, {}),
        (value) => ({ configs: readDeployedConfigs(value) }),
        signal,
      ).then((answer) => answer?.configs),
    schema: async (signal) => (await ask(post('/api/admin/v1/schema', callLimits.schema, {}), signal)).value,
    verify: (repair, signal) => verify({ repair: repair === 'repair' }, callLimits.deploy, signal),
    verification: (id, signal) => verify({ id }, callLimits.diagnose, signal),
    forecast: (signal) => askFor(post('/api/admin/v1/limits', callLimits.deploy, {}), readForecast, signal),
    forecastOf: async (content, streams, signal) => {
      const call = post('/api/admin/v1/limits', callLimits.validate, { sync_rules: content, streams });
      return (await askIfKnown(call, readGivenForecast, signal)) ?? undefined;
    },
    preflight: (content, signal) =>
      askIfKnown(
        post(
          '/api/admin/v1/preflight',
          callLimits.validate,
          content === undefined ? {} : { sync_rules: content },
        ),
        readPreflight,
        signal,
      ),
    clientKeys: (signal) =>
      // The service waits for each key set.
      askIfKnown(post('/api/admin/v1/client-keys', callLimits.deploy, {}), readKeyCheck, signal),
    scripts: (signal) => askFor(post('/api/admin/v1/scripts', callLimits.schema, {}), readScripts, signal),
    resetDatabase: (rows, signal) => {
      const call = post('/api/admin/v1/reset-database', callLimits.reset, { seed: rows === 'seeds' });
      return askFor(call, readScripts, signal);
    },
    query: async (query, values, signal) => {
      const call = post('/api/admin/v1/execute-sql', callLimits.validate, { sql: { query, args: values } });
      const result = await askFor(call, readResult, signal);
      if (typeof result !== 'string') return result;
      throw new ApiFailure('refused', t('{0} does not return rows: {1}.', address.host, result));
    },
  };
}
