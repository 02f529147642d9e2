/** Problems of a sync config, in the form in which the API reports them. */

import { type ConfigProblem, type SyncConfig, sentenceOf } from '../deployments/syncConfigs.ts';

import type { ServiceErrorCode } from '../ground/errors.ts';
import { andMore, createReasons, cutReason, mostReasons } from '../ground/reasons.ts';
import type { SourceProblem } from '../replication/source.ts';

interface Verdict {
  /** One sentence for each problem, including its position in the config. */
  readonly errors: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** The number of omitted diagnostics. */
  readonly more_diagnostics?: number;
}

/** A diagnostic with ranges as in the language protocol. Clients that do not know the field ignore it. */
interface Diagnostic {
  readonly severity: ConfigProblem['severity'];
  readonly code: string;
  readonly message: string;
  readonly range: { readonly start: ConfigProblem['from']; readonly end: ConfigProblem['to'] };
}

/** An error in the form in which the diagnostics of a deployment report errors of all kinds. */
export interface ReplicationError {
  readonly level: 'warning' | 'fatal';
  readonly message: string;
  /** A code of the catalogue of errors. Clients that do not know the field ignore it. */
  readonly code?: ServiceErrorCode;
  readonly location?: { readonly start_offset: number; readonly end_offset: number };
  readonly ts?: string;
  /** The kind of error, because programs must not decide by the message. */
  readonly kind?: 'full disk' | SourceProblem['kind'];
}

export function diagnosticsOf({ problems }: SyncConfig): Verdict {
  const errors = createReasons();
  for (const problem of problems) if (problem.severity === 'error') errors.add(() => sentenceOf(problem));
  const left = problems.length - mostReasons;
  return {
    errors: errors.list(),
    diagnostics: worstOf(problems).map(({ severity, code, message, from, to }) => ({
      severity,
      code,
      message: cutReason(message),
      range: { start: from, end: to },
    })),
    ...(left > 0 && { more_diagnostics: left }),
  };
}

/** Returns as many problems as an answer may contain, in their order. A less severe problem never displaces a more severe one. */
function worstOf(problems: SyncConfig['problems']): SyncConfig['problems'] {
  if (problems.length <= mostReasons) return problems;
  const ranked = severities.flatMap((severity) => problems.filter((each) => each.severity === severity));
  const worst = new Set(ranked.slice(0, mostReasons));
  return problems.filter((each) => worst.has(each));
}

const severities: readonly ConfigProblem['severity'][] = ['error', 'warning', 'hint'];

/** Returns the first errors, fatal ones before others, and the number of omitted ones. */
export function capErrors(errors: readonly ReplicationError[]): readonly ReplicationError[] {
  const cut = (error: ReplicationError): ReplicationError => ({
    ...error,
    message: cutReason(error.message),
  });
  if (errors.length <= mostReasons) return errors.map(cut);
  const fatal = errors.filter(({ level }) => level === 'fatal');
  const ranked = [...fatal, ...errors.filter(({ level }) => level !== 'fatal')];
  const level = fatal.length > mostReasons ? 'fatal' : 'warning';
  return [...ranked.slice(0, mostReasons).map(cut), { level, message: andMore(errors.length - mostReasons) }];
}

/** Returns the errors and warnings of a config. Hints are omitted, because they are for editors only. */
export function replicationErrorsOf({ problems }: SyncConfig): readonly ReplicationError[] {
  return problems.flatMap(({ severity, message, start, end }): readonly ReplicationError[] => {
    if (severity !== 'error' && severity !== 'warning') return [];
    const level = severity === 'error' ? 'fatal' : 'warning';
    return [{ level, message, location: { start_offset: start, end_offset: end } }];
  });
}
