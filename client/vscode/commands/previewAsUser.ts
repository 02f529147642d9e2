/** What a user gets of a service: read from it as that user's client would, so it is what the client has. */
import { l10n, window } from 'vscode';
import type { Api } from '../../api/api.ts';
import type { SyncResult } from '../../api/synced.ts';
import { countText } from '../../health/words.ts';
import { type ReadResult, readSubscriptions, readWho, type Who } from '../../preview/who.ts';
import { type ClientKey, localClientKey, signClientToken } from '../../project/clientToken.ts';
import type { Services } from '../services.ts';
import { requireUrl, type Target } from '../targets/target.ts';
import type { FoundToken } from '../targets/tokens.ts';
import { showPreview } from '../views/previews.ts';
import { chooseTarget } from './target.ts';
import { withProgress } from './telling.ts';

/** @param user who it is for, if that is known */
export async function previewAsUser(services: Services, user?: string): Promise<void> {
  await withProgress(services.log, l10n.t('Previewing'), async () => {
    const target = await chooseTarget(services);
    if (target === undefined) return;
    // It is said that it does not run before anyone is asked anything.
    requireUrl(target);
    const key = await keyFor(target, services);
    const who = await askWho(target, key, user);
    if (who === undefined) return;
    const api = await services.connectAs(target, tokenFor(who, key));
    try {
      const synced = await readAsClient(api);
      if (synced === undefined) return;
      const at = new Date().toLocaleTimeString();
      await showPreview({ user: userOf(who), target: target.name, at, synced });
    } finally {
      await api.close();
    }
  });
}

/** Undefined if only its own authority can sign tokens that it accepts. */
async function keyFor(target: Target, { local }: Services): Promise<ClientKey | undefined> {
  return target.kind === 'local' && local ? localClientKey(await local.key()) : target.clientKey;
}

async function askWho(
  target: Target,
  key: ClientKey | undefined,
  user: string | undefined,
): Promise<Who | undefined> {
  if (key && user !== undefined) return { kind: 'claims', claims: { sub: user } };
  const given = await window.showInputBox({
    title: l10n.t('Preview as User: Who'),
    prompt: key
      ? l10n.t('The id of a user, claims as JSON, or a token of the app')
      : l10n.t('A token of the app that {0} accepts, as its sign-in gives it', target.name),
    ...(key && { placeHolder: '{"sub": "user-1", "role": "admin"}' }),
    password: !key,
    ignoreFocusOut: true,
    validateInput: (text) => problemIn(readAccepted(text, key)),
  });
  const read = given === undefined ? undefined : readAccepted(given, key);
  return read?.kind === 'read' ? read.value : undefined;
}

function readAccepted(text: string, key: ClientKey | undefined): ReadResult<Who> {
  const read = readWho(text);
  if (key || read.kind === 'wrong' || read.value.kind === 'token') return read;
  return { kind: 'wrong', why: l10n.t('This is no token, and there is no key here to sign one with.') };
}

function tokenFor(who: Who, key: ClientKey | undefined): FoundToken {
  if (who.kind === 'token') return { token: who.token, origin: l10n.t('the preview') };
  return {
    token: key && signClientToken(who.claims, key, Date.now()).token,
    origin: l10n.t('the key in the service config'),
  };
}

function userOf(who: Who): string {
  return who.kind === 'token' ? who.user : who.claims.sub;
}

/** Asks for subscriptions, and stays open while it reads: to close it ends the reading. Undefined then. */
function readAsClient(api: Api): Promise<SyncResult | undefined> {
  const controller = new AbortController();
  const { signal } = controller;
  const box = window.createInputBox();
  box.title = l10n.t('Preview as User: Subscriptions');
  box.prompt = l10n.t('Streams besides those that everybody gets, with their parameters. Empty: none');
  box.placeholder = 'todos  {"todos": {"list_id": "1"}}';
  box.ignoreFocusOut = true;
  const onRows = (rows: number): void => {
    box.prompt = l10n.t('Rows so far: {0}. Escape stops reading.', countText(rows));
  };
  return new Promise((resolve, reject) => {
    box.onDidChangeValue((text) => {
      box.validationMessage = problemIn(readSubscriptions(text));
    });
    box.onDidAccept(() => {
      const subscriptions = readSubscriptions(box.value);
      if (box.busy || subscriptions.kind === 'wrong') return;
      box.busy = true;
      onRows(0);
      const question = { parameters: {}, subscriptions: subscriptions.value };
      api
        .syncOnce(question, { onRows, signal })
        .then(resolve, reject)
        .finally(() => box.hide());
    });
    box.onDidHide(() => {
      controller.abort();
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

function problemIn(read: ReadResult<unknown>): string | undefined {
  return read.kind === 'wrong' ? read.why : undefined;
}
