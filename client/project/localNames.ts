/** The names that the local service, its config and its tokens share. */

/** Secrets reach the process in these variables, and are nowhere written. */
export const variables = {
  token: 'PS_LOCAL_TOKEN',
  key: 'PS_LOCAL_KEY',
  /** The address of a database, where one was chosen. */
  source: 'PS_LOCAL_SOURCE',
} as const;

/** The audience of tokens from `Create Client Token`. */
export const localAudience = 'headwater-local';
export const localKeyId = 'headwater-local';
