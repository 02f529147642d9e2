/**
 * A link signs in once. Its code follows the `#`, which no server receives, and is removed from the address
 * at once.
 */
import { callFailureOf, ownHeader } from './http.ts';

/** A link that is opened where the console is open already changes the address, and nothing else. */
export function signInAgain(page: Pick<Window, 'location' | 'addEventListener'>): void {
  page.addEventListener('hashchange', () => {
    if (codeIn(page) !== undefined) page.location.reload();
  });
}

function codeIn({ location }: Pick<Window, 'location'>): string | undefined {
  return /^#sign-in=([\w-]+)$/.exec(location.hash)?.[1];
}

/** Undefined if the address brings no code, or it was good. Resolves with a sentence if it is not. */
export async function signInWithCode(
  page: Pick<Window, 'location' | 'history'>,
  send: typeof fetch = fetch,
): Promise<string | undefined> {
  const code = codeIn(page);
  if (code === undefined) return undefined;
  page.history.replaceState(null, '', page.location.pathname);
  try {
    const headers = { ...ownHeader, Authorization: `Link ${code}` };
    const response = await send('sign-in', { method: 'POST', headers });
    if (response.ok) return undefined;
    return callFailureOf(response.status, await response.json().catch(() => undefined)).message;
  } catch {
    return 'The service does not answer.';
  }
}
