/** The console as an editor tab. It is a separate bundle, so it also needs the language of the editor. */
import {
  commands,
  type Disposable,
  l10n,
  Range,
  type TextDocument,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { isSameUri, uriReader } from '../../../server/shared/uri.ts';
import type { MapPlace } from '../../api/syncMap.ts';
import type { DeployedSpan, FromEditor, PreviewedOwner, ToEditor } from '../../console/link/messages.ts';
import { askConfigs } from '../../deploying/history.ts';
import { localClientKey, signClientToken } from '../../project/clientToken.ts';
import { contentOf, findConfig, findConfigFile, isSameConfig, shownConfig } from '../configs.ts';
import type { Services } from '../services.ts';
import { streamsForTarget } from '../targets/streams.ts';
import { deployedUri } from '../views/deployedDocuments.ts';
import { treeArgument } from '../views/serviceNodes.ts';
import { feedMap } from './mapFeed.ts';
import { consoleFolder, consolePage } from './page.ts';
import { type Claims, openRelay, type RelayWorld } from './relay.ts';

export { translateWith } from '../../l10n.ts';

const consoleView = 'headwater.console';

interface ShownConsole extends Disposable {
  show(hash: string | undefined, config: Uri | undefined): void;
}

let shown: ShownConsole | undefined;

/** @param named a screen, the file of an editor, or a node of the view */
export function openConsole(services: Services, named: unknown): void {
  const { hash, config } = destinationOf(named);
  if (shown === undefined) {
    const panel = window.createWebviewPanel(consoleView, l10n.t('Headwater Console'), {
      // The tab opens next to the file that it shows.
      viewColumn: (config ?? shownConfig()) === undefined ? ViewColumn.Active : ViewColumn.Beside,
    });
    shown = fill(panel, services);
  }
  shown.show(hash, config);
}

/** Restores the console after a reload of the window. */
export function restoreConsole(services: Services, panel: WebviewPanel): void {
  shown?.dispose();
  shown = fill(panel, services);
}

interface Destination {
  readonly hash?: string;
  readonly config?: Uri;
}

export function destinationOf(named: unknown): Destination {
  if (named instanceof Uri) return { hash: '#/map', config: named };
  const { client, table } = treeArgument(named);
  if (client !== undefined) return { hash: addressOf('devices', { user: client.user }) };
  if (table !== undefined) return { hash: addressOf('map', { search: table }) };
  const { screen, parameters = {} } = (named ?? {}) as AskedScreen;
  return screen === undefined ? {} : { hash: addressOf(screen, parameters) };
}

interface AskedScreen {
  readonly screen?: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

function addressOf(screen: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString();
  return `#/${screen}${query === '' ? '' : `?${query}`}`;
}

function fill(panel: WebviewPanel, services: Services): ShownConsole {
  const { webview } = panel;
  const { extensionUri } = services.context;
  let isReady = false;
  let waiting: string | undefined;
  let places: ReadonlySet<string> = new Set();
  const send = (message: FromEditor): void => void webview.postMessage(message);
  const relay = openRelay({ ...worldOf(services), send });
  const feed = feedMap(services, (edited, named) => {
    places = named;
    send({ kind: 'map', edited });
  });
  const image = (name: string) => Uri.joinPath(extensionUri, 'images', name);
  panel.iconPath = { light: image('headwater-light.svg'), dark: image('headwater.svg') };
  webview.options = { enableScripts: true, localResourceRoots: [consoleFolder(extensionUri)] };
  webview.onDidReceiveMessage((message: ToEditor) => {
    switch (message.kind) {
      case 'ready':
        relay.cancelAll();
        isReady = true;
        feed.refresh();
        if (waiting !== undefined) send({ kind: 'show', hash: waiting });
        waiting = undefined;
        return;
      case 'cancel':
        return relay.cancel(message.number);
      case 'open':
        return void openPlace(message.place, places, panel.viewColumn);
      case 'reveal':
        return void reveal(message, services, panel.viewColumn).catch((error: unknown) =>
          services.log.error(String(error)),
        );
      case 'preview':
        return void commands.executeCommand('headwater.previewAsUser', textOfOwner(message.owner));
      case 'explain':
        return void commands.executeCommand('headwater.explainRow', {
          as: 'text',
          table: message.table,
          row: message.row,
        });
      default:
        return void relay.take(message);
    }
  });
  let target = targetKey(services);
  const watching = services.targets.onDidChange(() => {
    const next = targetKey(services);
    if (next === target) return;
    target = next;
    relay.cancelAll();
    send({ kind: 'target' });
  });
  panel.onDidChangeViewState(() => {
    // A hidden page is discarded.
    if (panel.visible) return;
    isReady = false;
    relay.cancelAll();
  });
  panel.onDidDispose(() => {
    relay.cancelAll();
    feed.dispose();
    watching.dispose();
    if (shown === own) shown = undefined;
  });
  webview.html = consolePage(webview, extensionUri);
  const own: ShownConsole = {
    show(hash, config) {
      panel.reveal();
      if (config !== undefined) feed.follow(config);
      if (hash === undefined) return;
      if (isReady) send({ kind: 'show', hash });
      else waiting = hash;
    },
    dispose: () => panel.dispose(),
  };
  return own;
}

/** Returns a key of the target. It changes when the local service starts again on another port. */
function targetKey({ targets }: Services): string {
  const target = targets.selected();
  return JSON.stringify([target?.id, target?.url]);
}

function textOfOwner({ user, claims, question }: PreviewedOwner): object {
  return { as: 'text', client: { user, claims, subscriptions: question.subscriptions } };
}

function worldOf(services: Services): Omit<RelayWorld, 'send'> {
  const { targets, local, history } = services;
  return {
    async reach() {
      const target = targets.selected();
      if (target === undefined)
        return { why: l10n.t('No service is selected: the map shows what the file says.') };
      if (target.url === undefined)
        return { why: l10n.t('{0} is not running: the map shows what the file says.', target.name) };
      const api = await services.connect(target, 'quiet');
      return api ? { api } : { why: l10n.t('There is no token for {0}: give it one.', target.name) };
    },
    async reachAs(token) {
      const target = targets.selected();
      if (target === undefined) throw new Error(l10n.t('No service is selected.'));
      return services.connectAs(target, { token, origin: l10n.t('the console') });
    },
    async sign(claims: Claims) {
      const target = targets.selected();
      const key = target?.kind === 'local' && local ? localClientKey(await local.key()) : target?.clientKey;
      return key && signClientToken(claims, key, Date.now()).token;
    },
    share: services.shareDiagnosis,
    async configs(api) {
      const target = targets.selected();
      return target === undefined ? [] : askConfigs(api, { history, target: target.id });
    },
    async streams() {
      const target = targets.selected();
      const found = target && (await streamsForTarget(services, target));
      return (
        found && {
          origin: found.origin,
          streams: found.streams.map(({ isDefault, ...stream }) => ({ ...stream, is_default: isDefault })),
        }
      );
    },
  };
}

/** Reveals a span in the file if the file is deployed, otherwise in the deployed config, as a read-only document. */
async function reveal(span: DeployedSpan, services: Services, own: ViewColumn | undefined): Promise<void> {
  const { targets, health } = services;
  const { content, start, end } = span;
  const range = new Range(...placeIn(content, start), ...placeIn(content, end));
  const file = (await findConfig(undefined)) ?? (await openConfigFile());
  const target = targets.selected();
  const now = health.health();
  const active = 'diagnosis' in now ? now.diagnosis.active : undefined;
  const isDeployed = file !== undefined && isSameConfig(contentOf(file), content);
  const uri = isDeployed ? file.uri : target && active && deployedUri(target, active);
  if (!uri) return;
  await showAt(uri, range, own);
}

/** Shows the document where it is already open, otherwise next to the console. */
async function showAt(uri: Uri, selection: Range, own: ViewColumn | undefined): Promise<void> {
  const readUri = uriReader(process.platform);
  const seen = window.visibleTextEditors.find(({ document }) =>
    isSameUri(readUri(document.uri.toString()), readUri(uri.toString())),
  );
  await window.showTextDocument(await workspace.openTextDocument(uri), {
    viewColumn: seen?.viewColumn ?? (own === ViewColumn.One ? ViewColumn.Beside : ViewColumn.One),
    selection,
  });
}

async function openConfigFile(): Promise<TextDocument | undefined> {
  const uri = await findConfigFile();
  return uri && workspace.openTextDocument(uri);
}

/** Returns line and character, because the file may have other line ends than the deployed config. */
function placeIn(content: string, offset: number): [line: number, character: number] {
  const before = content.slice(0, offset).split(/\r\n|\r|\n/);
  return [before.length - 1, before.at(-1)?.length ?? 0];
}

/** Opens a place that the map names. A page cannot open any other file. */
async function openPlace(
  place: MapPlace,
  places: ReadonlySet<string>,
  own: ViewColumn | undefined,
): Promise<void> {
  if (place.kind !== 'file' || !places.has(place.uri)) return;
  const at = new Range(place.line, place.character, place.line, place.character);
  await showAt(Uri.parse(place.uri, true), at, own);
}
