/**
 * The secret of a session, which only pages of this console have. Browsers send the session's cookie to every port of the host, but
 * keep the storage of pages apart for each port, so another program on the same host cannot read the secret.
 */
export interface PageSecret {
  /** Returns the secret. Undefined before the first sign-in. */
  readonly read: () => string | undefined;
  readonly keep: (secret: string) => void;
}

const key = 'headwater-console-secret';

/**
 * The secret survives a reload, and all tabs share it. It is read for each request, because another tab may have signed in in
 * the meantime.
 */
export function openPageSecret(page: Pick<Window, 'localStorage'>): PageSecret {
  /**
   * Present only if the storage did not accept the last secret, as in some private windows. It is lost when the user leaves the
   * page.
   */
  let own: string | undefined;
  return {
    read: () => {
      try {
        return own ?? page.localStorage.getItem(key) ?? undefined;
      } catch {
        return own;
      }
    },
    keep: (secret) => {
      try {
        page.localStorage.setItem(key, secret);
        own = undefined;
      } catch {
        own = secret;
      }
    },
  };
}
