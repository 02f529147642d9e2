/** What a user gets of a service: read from it as that user's client would, so it is what the client has. */
import { l10n, window } from 'vscode';
import type { Api } from '../api/api.ts';
import type { Synced } from '../api/synced.ts';
import { count } from '../health/words.ts';
import { createClientToken } from '../local/clientToken.ts';
import { type Read, readSubscriptions, readWho, type Who } from '../preview/who.ts';
import type { Services } from '../services.ts';
import { type Target, urlOf } from '../targets/target.ts';
import type { FoundToken } from '../targets/tokens.ts';
import { showPreview } from '../views/previews.ts';
import { chooseTarget } from './target.ts';
import { working } from './telling.ts';

/** @param user who it is for, if that is known */
export async function previewAsUser(services: Services, user?: string): Promise<void> {
  await working(services.log, l10n.t('Previewing'), async () => {
    const target = await chooseTarget(services);
    if (target === undefined) return;
    urlOf(target);
    const who = await askWho(target, user);
    if (who === undefined) return;
    const api = await services.connectAs(target, await tokenFor(who, services));
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

/** The local service accepts what we sign; any other one only tokens that its own authority signs. */
async function askWho(target: Target, user: string | undefined): Promise<Who | undefined> {
  const isLocal = target.kind === 'local';
  if (isLocal && user !== undefined) return { kind: 'claims', claims: { sub: user } };
  const given = await window.showInputBox({
    title: l10n.t('Preview as User: Who'),
    prompt: isLocal
      ? l10n.t('The id of a user, claims as JSON, or a token of the app')
      : l10n.t('A token of the app for {0}, as its sign-in gives it', user ?? l10n.t('that user')),
    ...(isLocal && { placeHolder: '{"sub": "user-1", "role": "admin"}' }),
    password: !isLocal,
    ignoreFocusOut: true,
    validateInput: (text) => problemIn(readAccepted(text, isLocal)),
  });
  const read = given === undefined ? undefined : readAccepted(given, isLocal);
  return read?.kind === 'read' ? read.value : undefined;
}

function readAccepted(text: string, isLocal: boolean): Read<Who> {
  const read = readWho(text);
  if (isLocal || read.kind === 'wrong' || read.value.kind === 'token') return read;
  return {
    kind: 'wrong',
    why: l10n.t('This is no token. Only the local service takes the id of a user, or claims.'),
  };
}

async function tokenFor(who: Who, { local }: Services): Promise<FoundToken> {
  if (who.kind === 'token') return { token: who.token, origin: l10n.t('the preview') };
  const key = (await local?.key()) ?? '';
  return { token: createClientToken(who.claims, key, Date.now()), origin: l10n.t('the local service') };
}

function userOf(who: Who): string {
  return who.kind === 'token' ? who.user : who.claims.sub;
}

/** Asks for subscriptions, and stays open while it reads: to close it ends the reading. Undefined then. */
function readAsClient(api: Api): Promise<Synced | undefined> {
  const controller = new AbortController();
  const { signal } = controller;
  const box = window.createInputBox();
  box.title = l10n.t('Preview as User: Subscriptions');
  box.prompt = l10n.t('Streams besides those that everybody gets, with their parameters. Empty: none');
  box.placeholder = 'todos  {"todos": {"list_id": "1"}}';
  box.ignoreFocusOut = true;
  const onRows = (rows: number): void => {
    box.prompt = l10n.t('Rows so far: {0}. Escape stops reading.', count(rows));
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

function problemIn(read: Read<unknown>): string | undefined {
  return read.kind === 'wrong' ? read.why : undefined;
}
