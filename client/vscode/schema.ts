/** Sends the tables of a service, and the amounts that its clients get, to each language server that starts. */

import type { Disposable } from 'vscode';
import {
  type GivenForecastParams,
  givenForecastRequest,
  type LimitsParams,
  limitsRequest,
  type ServiceSchemaParams,
  type ServiceSchemaResult,
  serviceSchemaRequest,
} from '../../server/protocol.ts';
import type { Diagnosis } from '../api/answers.ts';
import type { Api } from '../api/api.ts';
import { keyOfConfig } from '../api/deployedConfig.ts';
import type { LanguageServer } from './language.ts';
import type { Target } from './targets/target.ts';

export interface Schema extends Disposable {
  /** Sends a schema. Returns undefined while no language server is running, and null if the schema is invalid. */
  tell(params: ServiceSchemaParams): Promise<ServiceSchemaResult | undefined>;
  /** Called after an answer of the selected service. Requests the amounts that its clients get, if they may have changed. */
  learnLimits(api: Api, target: Target, diagnosis: Diagnosis): Promise<void>;
}

/**
 * The time after which the local service is asked again, in milliseconds. Other services are asked only once for each
 * deployment, because the answer may be expensive for them.
 */
const pause = 300_000;

export function keepSchema(
  language: Pick<LanguageServer, 'answer' | 'ask' | 'onDidStart'>,
  now: () => number = Date.now,
): Schema {
  let latest: ServiceSchemaParams | undefined;
  let limits: (LimitsParams & { readonly of: string; readonly at: number }) | undefined;
  let latestApi: Api | undefined;
  language.answer(givenForecastRequest, async ({ content, streams }: GivenForecastParams) => {
    return (await latestApi?.forecastOf(content, streams)) ?? null;
  });
  const send = (params: ServiceSchemaParams) =>
    language.ask<ServiceSchemaResult>(serviceSchemaRequest, params);
  const listener = language.onDidStart(() => {
    if (latest) void send(latest);
    if (limits) void language.ask(limitsRequest, limits);
  });
  return {
    tell(params) {
      latest = params;
      return send(params);
    },
    async learnLimits(api, { id, kind }, { active }) {
      latestApi = api;
      const of = `${id} ${keyOfConfig(active)}`;
      if (limits?.of === of && (kind !== 'local' || now() - limits.at < pause)) return;
      limits = { of, at: now(), forecast: null };
      // Third-party services do not support this call.
      const forecast = active === undefined ? null : await api.forecast().catch(() => null);
      limits = { of, at: now(), forecast };
      await language.ask(limitsRequest, limits);
    },
    dispose: () => listener.dispose(),
  };
}
