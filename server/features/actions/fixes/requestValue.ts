/** The form in which a stream reads a value of the request that another format names. */

/** @param from who gives it, where the name does not say so */
export function requestValue(from: 'auth' | 'connection' | 'subscription', name: string): string {
  return name === 'user_id' ? 'auth.user_id()' : `${from}.parameter('${name}')`;
}
