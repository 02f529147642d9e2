import type { ServiceErrorCode } from '../ground/errors.ts';

/** Something that is wrong with a service config. No sentence holds a value: it may be a secret. */
export interface Problem {
  /** `service.yaml:3:7`, lines and columns from 1; absent where the config has no such place. */
  readonly place?: string;
  /** Absent for what has no code of its own. */
  readonly code?: ServiceErrorCode;
  readonly sentence: string;
}

export interface PlacedProblem {
  /** In the text. */
  readonly offset: number;
  readonly sentence: string;
}
