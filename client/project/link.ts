/** `cli.yaml`, as the official command line writes it: which service a project is for, and with which key. */
import type { Environment, ProjectFile, ProjectValue } from './projectFile.ts';
import { type Destination, isOwnVariable } from './trust.ts';

export interface Link {
  readonly path: string;
  /** Whether it is PowerSync's cloud, which has other commands. */
  readonly isCloud: boolean;
  /** The id of a cloud instance. */
  readonly instance: string | undefined;
  readonly url: ProjectValue | undefined;
  /** Read only when it is needed: its variable may not be set. */
  readonly key: () => ProjectValue | undefined;
}

export const linkName = 'cli.yaml';

export function readLink(file: ProjectFile): Link {
  return {
    path: file.path,
    isCloud: file.text('/type') === 'cloud',
    instance: file.text('/instance_id'),
    url: file.value('/api_url'),
    key: () => file.value('/api_key'),
  };
}

/**
 * Returns who has named an address that a file of the folder gives.
 *
 * @param userEnv what the user has set, and no file of the folder
 */
export function namerOf({ text, variable }: ProjectValue, userEnv: Environment): Destination['namedBy'] {
  return variable !== undefined && isOwnVariable(variable) && userEnv[variable] === text ? 'user' : 'folder';
}
