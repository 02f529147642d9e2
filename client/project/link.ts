/** `cli.yaml` of the official command line, which contains the service of a project and its key. */
import type { Environment, ProjectFile, ProjectValue } from './projectFile.ts';
import { type Destination, isOwnVariable } from './trust.ts';

export interface Link {
  readonly path: string;
  /** Whether the service is PowerSync Cloud, which has different commands. */
  readonly isCloud: boolean;
  /** The id of a cloud instance. */
  readonly instance: string | undefined;
  readonly url: ProjectValue | undefined;
  /** Reads the key. It is read only when it is needed, because its variable may not be set. */
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
 * Returns the author of an address in a file of the folder.
 *
 * @param userEnv the variables that the user has set, without those from files of the folder
 */
export function namerOf({ text, variable }: ProjectValue, userEnv: Environment): Destination['namedBy'] {
  return variable !== undefined && isOwnVariable(variable) && userEnv[variable] === text ? 'user' : 'folder';
}
