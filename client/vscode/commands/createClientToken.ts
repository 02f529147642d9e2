/** Creates a token with which an app under development connects to the local service. */
import { env, l10n, window } from 'vscode';
import { lifetimes, localClientKey, signClientToken } from '../../project/clientToken.ts';
import type { Services } from '../services.ts';
import { clientIn } from '../views/serviceNodes.ts';
import { complain, say } from './telling.ts';

/** @param named a client in the view, for whose user the token is */
export async function createClientToken({ local, log }: Services, named: unknown): Promise<void> {
  if (local === undefined)
    return complain(log, l10n.t('Open a folder first: the local service belongs to one.'));
  const user = clientIn(named)?.user ?? (await askForUser());
  if (user === undefined) return;
  const key = localClientKey(await local.key());
  await env.clipboard.writeText(signClientToken({ sub: user.trim() }, key, Date.now()).token);
  say(
    log,
    l10n.t(
      'A token for {0} was copied to the clipboard. It is valid for {1} hours.',
      user.trim(),
      lifetimes.usual / 3600,
    ),
  );
}

function askForUser(): Thenable<string | undefined> {
  return window.showInputBox({
    title: l10n.t('Create Client Token'),
    prompt: l10n.t('The user: what auth.user_id() gives in queries'),
    placeHolder: 'user-1',
    validateInput: (text) => (text.trim() === '' ? l10n.t('A user has a name.') : undefined),
  });
}
