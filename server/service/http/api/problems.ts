/** Problems of a sync config, as answers tell them. */
import { type ConfigProblem, type SyncConfig, sentenceOf } from '../../syncConfig.ts';
import type { ServiceErrorCode } from '../errors.ts';

export interface Verdict {
  /** One sentence each, with its place. */
  readonly errors: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** With ranges as the language protocol counts them. Clients that do not know the field ignore it. */
export interface Diagnostic {
  readonly severity: ConfigProblem['severity'];
  readonly code: string;
  readonly message: string;
  readonly range: { readonly start: ConfigProblem['from']; readonly end: ConfigProblem['to'] };
}

/** As diagnostics of a deployment tell errors of all kinds. */
export interface ReplicationError {
  readonly level: 'warning' | 'fatal';
  readonly message: string;
  /** Of the catalogue. Clients that do not know the field ignore it. */
  readonly code?: ServiceErrorCode;
  readonly location?: { readonly start_offset: number; readonly end_offset: number };
  readonly ts?: string;
}

export function diagnosticsOf({ problems }: SyncConfig): Verdict {
  return {
    errors: problems.filter(({ severity }) => severity === 'error').map(sentenceOf),
    diagnostics: problems.map(({ severity, code, message, from, to }) => ({
      ...{ severity, code, message },
      range: { start: from, end: to },
    })),
  };
}

/** Hints are for editors only. */
export function replicationErrorsOf({ problems }: SyncConfig): readonly ReplicationError[] {
  return problems.flatMap(({ severity, message, start, end }): readonly ReplicationError[] => {
    if (severity !== 'error' && severity !== 'warning') return [];
    const level = severity === 'error' ? 'fatal' : 'warning';
    return [{ level, message, location: { start_offset: start, end_offset: end } }];
  });
}
