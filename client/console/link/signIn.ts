/**
 * Signs in with a link, which works only once. Its code is after the `#`, which browsers do not send, and is removed from the
 * address at once.
 */
import { dataOf } from '../../api/answers.ts';
import { textIn } from '../../api/reading.ts';
import { callFailureOf } from './http.ts';
import type { PageSecret } from './pageSecret.ts';

/** Signs in again if a link is opened in a tab that already shows the console, because this only changes the address. */
export function signInAgain(page: Pick<Window, 'location' | 'addEventListener'>): void {
  page.addEventListener('hashchange', () => {
    if (codeIn(page) !== undefined) page.location.reload();
  });
}

function codeIn({ location }: Pick<Window, 'location'>): string | undefined {
  return /^#sign-in=([\w-]+)$/.exec(location.hash)?.[1];
}

/** Resolves with undefined if the address has no code or a valid one, otherwise with a sentence. */
export async function signInWithCode(
  page: Pick<Window, 'location' | 'history'>,
  { keep }: Pick<PageSecret, 'keep'>,
  send: typeof fetch = fetch,
): Promise<string | undefined> {
  const code = codeIn(page);
  if (code === undefined) return undefined;
  page.history.replaceState(null, '', page.location.pathname);
  try {
    const response = await send('sign-in', { method: 'POST', headers: { Authorization: `Link ${code}` } });
    const answer: unknown = await response.json().catch(() => undefined);
    const secret = textIn(dataOf(answer) ?? {}, 'secret');
    if (!response.ok || secret === undefined) return callFailureOf(response.status, answer).message;
    keep(secret);
    return undefined;
  } catch {
    return 'The service does not answer.';
  }
}
