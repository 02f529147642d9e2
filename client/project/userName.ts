/** The name of the user, for the list of deployed configs. */
import { isUserName } from '../../server/shared/userName.ts';
import type { Environment } from './projectFile.ts';

/** The variables with the name, best first: the person who started a CI job, then the account on this machine. */
const variables = ['GITHUB_ACTOR', 'GITLAB_USER_LOGIN', 'USER', 'USERNAME', 'LOGNAME'];

/** Returns undefined if no variable contains a name. */
export function userNameIn(env: Environment): string | undefined {
  return variables.map((variable) => env[variable]).find((text) => text !== undefined && isUserName(text));
}
