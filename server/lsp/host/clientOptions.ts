/** The valid part of the client's `initializationOptions`. */
import type { InitializeParams } from 'vscode-languageserver';
import type { ClientOptions } from '../../protocol.ts';

export function readClientOptions({ initializationOptions }: InitializeParams): ClientOptions {
  const options: Partial<Record<keyof ClientOptions, unknown>> =
    typeof initializationOptions === 'object' && initializationOptions !== null ? initializationOptions : {};
  const { commands, codePages, files, forecasts, sql, syntax, tests } = options;
  return {
    ...(Array.isArray(commands) && { commands: commands.filter((command) => typeof command === 'string') }),
    ...(typeof codePages === 'string' && { codePages }),
    ...(files === true && { files }),
    ...(forecasts === true && { forecasts }),
    ...(sql === 'only read' && { sql }),
    ...(syntax === 'reported by others' && { syntax }),
    ...(tests === 'shown' && { tests }),
  };
}
