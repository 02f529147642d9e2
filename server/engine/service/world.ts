import type { Finding } from '../diagnostics/diagnostics.ts';

/** The facts about the surroundings that the analysis of a service config may ask for. An unknown fact is not an error. */
export interface ServiceWorld {
  /** Whether there is such a file or folder, seen from the folder of the config; undefined if that is not known. */
  readonly exists?: (path: string) => boolean | undefined;
  /** The problems of a sync config; spans count in its text. */
  readonly findInSyncConfig?: (text: string) => readonly Finding[];
}
