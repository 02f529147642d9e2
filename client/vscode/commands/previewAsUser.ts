/**
 * Shows the rows that a user gets from a service: in the devices screen of the console, or as text for screen readers and on
 * request. The text is read from the service in the same way as by that user's client.
 */
import { commands, l10n, type QuickPickItem, window } from 'vscode';
import type { SubscribableStream } from '../../../server/protocol.ts';
import type { Api } from '../../api/api.ts';
import type { Subscription, SyncResult } from '../../api/synced.ts';
import { countText } from '../../health/amounts.ts';
import { exampleOf, offersFor, readSubscriptions, writeSubscriptions } from '../../preview/subscriptions.ts';
import { type ReadResult, readWho, userOf, type Who } from '../../preview/who.ts';
import {
  type ClientClaims,
  type ClientKey,
  localClientKey,
  signClientToken,
} from '../../project/clientToken.ts';
import type { Services } from '../services.ts';
import { prefersText } from '../settings.ts';
import { streamsForTarget } from '../targets/streams.ts';
import type { Target } from '../targets/target.ts';
import type { FoundToken } from '../targets/tokens.ts';
import { showPreview } from '../views/previews.ts';
import { treeArgument } from '../views/serviceNodes.ts';
import { askClaims, chooseUser } from './chooseUser.ts';
import { chooseRunning } from './target.ts';
import { withProgress } from './telling.ts';

interface AskedPreview {
  /** Set if the console requests text. */
  readonly as?: 'text';
}

/** @param named the argument from the view: the user, and the subscriptions of that client */
export async function previewAsUser(services: Services, named: unknown): Promise<void> {
  const { client } = treeArgument(named);
  const asText = prefersText() || (named as AskedPreview | undefined)?.as === 'text';
  await withProgress(services.log, l10n.t('Previewing'), async () => {
    const target = await chooseRunning(services);
    if (target === undefined) return;
    const key = await keyFor(target, services);
    const isKnown = key !== undefined && client !== undefined;
    const chosen: Who | undefined = isKnown
      ? { kind: 'claims', claims: { ...client.claims, sub: client.user } }
      : await askWho(services, target, key);
    if (chosen === undefined) return;
    // The page must not get the token, so its rows are shown as text.
    if (chosen.kind === 'claims' && !asText) {
      const device = deviceOf(chosen.claims, client?.subscriptions);
      await commands.executeCommand('headwater.openConsole', device);
      return;
    }
    const who = isKnown ? chosen : await withClaims(services, target, chosen);
    if (who === undefined) return;
    const api = await services.connectAs(target, tokenFor(who, key));
    try {
      const known = writeSubscriptions(client?.subscriptions ?? []);
      const { streams = [] } = (await streamsForTarget(services, target)) ?? {};
      const synced = await readAsClient(api, { streams, known });
      if (synced === undefined) return;
      const at = new Date().toLocaleTimeString();
      await showPreview({ user: userOf(who), target: target.name, at, synced });
    } finally {
      await api.close();
    }
  });
}

/** Returns the parameters in the form that `#/devices` reads. */
function deviceOf({ sub, ...claims }: ClientClaims, subscriptions: readonly Subscription[] = []): object {
  const parameters = {
    user: sub,
    ...(Object.keys(claims).length > 0 && { claims: JSON.stringify(claims) }),
    ...(subscriptions.length > 0 && { subscriptions: JSON.stringify(subscriptions) }),
  };
  return { screen: 'devices', parameters };
}

/** Returns the key for client tokens. Undefined if only another party can sign tokens that the target accepts. */
async function keyFor(target: Target, { local }: Services): Promise<ClientKey | undefined> {
  return target.kind === 'local' && local ? localClientKey(await local.key()) : target.clientKey;
}

async function askWho(
  services: Services,
  target: Target,
  key: ClientKey | undefined,
): Promise<Who | undefined> {
  const title = l10n.t('Preview as User: Who');
  const readText = (text: string) => readAccepted(text, key);
  if (key) {
    const placeholder = l10n.t('A user, claims as JSON, or a token of the app');
    const answer = await chooseUser(services, { title, placeholder, target, readText });
    return answer?.kind === 'who' ? answer.who : undefined;
  }
  const given = await window.showInputBox({
    title,
    prompt: l10n.t("A token that {0} accepts, as the app's sign-in issues it", target.name),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => problemIn(readText(text)),
  });
  const found = given === undefined ? undefined : readText(given);
  return found?.kind === 'read' ? found.value : undefined;
}

/** Asks for the claims that the config reads, if the user is known only by its id. */
async function withClaims(services: Services, target: Target, who: Who): Promise<Who | undefined> {
  if (who.kind === 'token') return who;
  const claims = await askClaims(services, target, who.claims);
  return claims && { kind: 'claims', claims };
}

function readAccepted(text: string, key: ClientKey | undefined): ReadResult<Who> {
  const read = readWho(text);
  if (key || read.kind === 'wrong' || read.value.kind === 'token') return read;
  return { kind: 'wrong', why: l10n.t('This is not a token, and there is no key here to sign one.') };
}

function tokenFor(who: Who, key: ClientKey | undefined): FoundToken {
  if (who.kind === 'token') return { token: who.token, origin: l10n.t('the preview') };
  return {
    token: key && signClientToken(who.claims, key, Date.now()).token,
    origin: l10n.t('the key in the service config'),
  };
}

interface Subscribing {
  readonly streams: readonly SubscribableStream[];
  /** The initial value of the box. */
  readonly known: string;
}

/** Asks for subscriptions, and stays open while rows are read. Closing the box ends the reading; the result is then undefined. */
function readAsClient(api: Api, { streams, known }: Subscribing): Promise<SyncResult | undefined> {
  const controller = new AbortController();
  const { signal } = controller;
  const box = window.createQuickPick<SubscriptionItem>();
  box.title = l10n.t('Preview as User: Subscriptions');
  const example = exampleOf(streams);
  box.placeholder =
    example === ''
      ? l10n.t('Everybody gets all streams: press Enter')
      : l10n.t('Streams besides those that everybody gets, such as {0}', example);
  box.ignoreFocusOut = true;
  box.value = known;
  const show = (): void => {
    const items = itemsFor(box.value, streams);
    box.items = items;
    const [first] = items;
    if (first !== undefined) box.activeItems = [first];
  };
  const onRows = (rows: number): void => {
    const label = l10n.t('Rows so far: {0}. Escape stops reading.', countText(rows));
    box.items = [{ label, alwaysShow: true }];
  };
  return new Promise((resolve, reject) => {
    box.onDidChangeValue(show);
    box.onDidAccept(() => {
      const [item] = box.activeItems;
      if (box.busy || item === undefined) return;
      if (item.value !== undefined) {
        box.value = item.value;
        return show();
      }
      const subscriptions = readSubscriptions(box.value);
      if (subscriptions.kind === 'wrong') return;
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
    show();
    box.show();
  });
}

interface SubscriptionItem extends QuickPickItem {
  /** The text that the item puts into the box. Absent: the item starts reading. */
  readonly value?: string;
}

/** Returns the items. The item that Enter chooses is first. All items are always shown, because the typed text is not a filter. */
function itemsFor(typed: string, streams: readonly SubscribableStream[]): readonly SubscriptionItem[] {
  const wrong = problemIn(readSubscriptions(typed));
  const preview: SubscriptionItem = {
    label: wrong === undefined ? l10n.t('$(eye) Preview') : `$(error) ${wrong}`,
    alwaysShow: true,
    ...(wrong === undefined && typed.trim() === '' && { description: l10n.t('only what everybody gets') }),
  };
  const offers = offersFor(typed, streams).map(
    ({ name, written, value }): SubscriptionItem => ({
      label: `$(add) ${name}`,
      description: written === name ? '' : written,
      alwaysShow: true,
      value,
    }),
  );
  const isHalf =
    /[^\s,{}"]$/.test(typed) && offers.length > 0 && !streams.some(({ name }) => typed.endsWith(name));
  return isHalf ? [...offers, preview] : [preview, ...offers];
}

function problemIn(read: ReadResult<unknown>): string | undefined {
  return read.kind === 'wrong' ? read.why : undefined;
}
