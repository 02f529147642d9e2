import type { ServiceErrorCode } from '../ground/errors.ts';

/** A problem of a service config. Sentences never contain a value, because it may be a secret. */
export interface Problem {
  /** For example `service.yaml:3:7`. Lines and columns begin at 1. Absent if the config has no such place. */
  readonly place?: string;
  /** The code. Absent if the problem has no specific code. */
  readonly code?: ServiceErrorCode;
  readonly sentence: string;
}

export interface PlacedProblem {
  /** The offset in the config text. */
  readonly offset: number;
  readonly sentence: string;
}
