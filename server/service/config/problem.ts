import type { ServiceErrorCode } from '../ground/errors.ts';

/** Something that is wrong with a service config. No sentence holds a value: it may be a secret. */
export interface Problem {
  /** `service.yaml:3:7`, lines and columns from 1; absent where the config has no such place. */
  readonly place?: string;
  /** The code. Absent for problems without a code of their own. */
  readonly code?: ServiceErrorCode;
  readonly sentence: string;
}

export interface PlacedProblem {
  /** The offset in the text. */
  readonly offset: number;
  readonly sentence: string;
}
