/** Writes how a stream reads a request value that another format names. */

/** @param from the source of the value, in case the name does not contain it */
export function requestValue(from: 'auth' | 'connection' | 'subscription', name: string): string {
  return name === 'user_id' ? 'auth.user_id()' : `${from}.parameter('${name}')`;
}
