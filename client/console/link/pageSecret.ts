/**
 * The secret of a session that only pages of this console hold. Browsers send the session's cookie to every port of the host, but
 * keep the storage of pages apart for each port, so another program on the same host cannot read this.
 */
export interface PageSecret {
  /** Undefined before the first sign-in. */
  readonly read: () => string | undefined;
  readonly keep: (secret: string) => void;
}

const key = 'headwater-console-secret';

/** Survives a reload, and all tabs share it. Is read for each request, because another tab may have signed in meanwhile. */
export function openPageSecret(page: Pick<Window, 'localStorage'>): PageSecret {
  /** Present only if the storage did not accept the last one, as in some private windows. Lost when the page is left. */
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
