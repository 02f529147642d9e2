/** The names that the local service, its config and its tokens share. */

/** The variables with secrets for the process. The secrets are not written to any file. */
export const variables = {
  token: 'PS_LOCAL_TOKEN',
  key: 'PS_LOCAL_KEY',
  /** The address of a database, if the user has chosen one. */
  source: 'PS_LOCAL_SOURCE',
} as const;

/** The audience of tokens from `Create Client Token`. */
export const localAudience = 'headwater-local';
export const localKeyId = 'headwater-local';
