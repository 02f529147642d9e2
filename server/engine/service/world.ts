import type { Finding } from '../diagnostics/diagnostics.ts';

/** The facts about its surroundings that the analysis of a service config needs. An unknown fact is not an error. */
export interface ServiceWorld {
  /** Whether a file or folder exists, relative to the folder of the config; undefined if that is unknown. */
  readonly exists?: (path: string) => boolean | undefined;
  /** Returns the problems of a sync config. Their spans are relative to its text. */
  readonly findInSyncConfig?: (text: string) => readonly Finding[];
}
