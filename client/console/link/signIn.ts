/** A link signs in once: its code is behind the `#`, which no server sees, and is taken out of the address at once. */
import { CallFailure, type Transport } from './transport.ts';

/** Undefined if the address brings no code. Resolves with a sentence if it is not good any more. */
export async function signInWithCode(
  page: Pick<Window, 'location' | 'history'>,
  transport: Pick<Transport, 'call'>,
): Promise<string | undefined> {
  const code = /^#sign-in=([\w-]+)$/.exec(page.location.hash)?.[1];
  if (code === undefined) return undefined;
  page.history.replaceState(null, '', page.location.pathname);
  try {
    await transport.call('POST', '/console/sign-in', { code });
    return undefined;
  } catch (error) {
    return error instanceof CallFailure ? error.message : 'Signing in failed.';
  }
}
