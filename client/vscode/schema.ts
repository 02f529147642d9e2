/** What a service said of its tables: told to each language server that starts. */
import type { Disposable } from 'vscode';
import {
  type ServiceSchemaParams,
  type ServiceSchemaResult,
  serviceSchemaRequest,
} from '../../server/protocol.ts';
import type { LanguageServer } from './language.ts';

export interface Schema extends Disposable {
  /** Undefined while no language server runs, null if it is no schema. */
  tell(params: ServiceSchemaParams): Promise<ServiceSchemaResult | undefined>;
}

export function keepSchema(language: Pick<LanguageServer, 'ask' | 'onDidStart'>): Schema {
  let latest: ServiceSchemaParams | undefined;
  const send = (params: ServiceSchemaParams) =>
    language.ask<ServiceSchemaResult>(serviceSchemaRequest, params);
  const listener = language.onDidStart(() => {
    if (latest) void send(latest);
  });
  return {
    tell(params) {
      latest = params;
      return send(params);
    },
    dispose: () => listener.dispose(),
  };
}
