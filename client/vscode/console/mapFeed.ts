/** Sends the console the map of the edited sync config and of the deployed configs, while the user types. */

import { Disposable, type TextDocument, type Uri, window, workspace } from 'vscode';
import { type SyncMapParams, type SyncMapResult, syncMapRequest } from '../../../server/protocol.ts';
import { splitPath } from '../../../server/shared/uri.ts';
import { keyOfConfig } from '../../api/deployedConfig.ts';
import { present } from '../../api/reading.ts';
import type { SentMap } from '../../console/link/messages.ts';
import { findConfig, findConfigFile, looksLikeSyncConfig } from '../configs.ts';
import type { Services } from '../services.ts';

interface MapFeed extends Disposable {
  /** Follows another file. */
  follow(config: Uri): void;
  /** Sends everything again. */
  refresh(): void;
}

/** The pause after the last keystroke, in milliseconds. */
const pause = 120;

export function feedMap(
  services: Services,
  send: (edited: SentMap, places: ReadonlySet<string>) => void,
): MapFeed {
  const { language, health, targets, history, log } = services;
  let config: Uri | undefined;
  let timer: NodeJS.Timeout | undefined;
  let turn = 0;
  /** The last answer about the tables of the service. */
  let schema: { readonly key: string; readonly answer: unknown } | undefined;
  let state = '';

  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void tell().catch((error: unknown) => log.error(String(error))), pause);
  };

  async function tell(): Promise<void> {
    turn += 1;
    const own = turn;
    config ??= (await findConfig(undefined))?.uri ?? (await findConfigFile());
    if (config === undefined) return send({}, new Set());
    await language.ensure();
    const uri = config.toString();
    const answer = await schemaOfTarget();
    const map = await ask({ uri, answer });
    const deployed = await deployedMaps(uri, answer);
    // A later request has replaced this one.
    if (own !== turn) return;
    const places = [...(map?.streams ?? []), ...(map?.tables ?? [])].flatMap(({ place }) => place?.uri ?? []);
    send(present({ file: splitPath(config.path).name, map: map ?? undefined, deployed }), new Set(places));
  }

  function ask(params: SyncMapParams): Promise<SyncMapResult | undefined> {
    return language.ask<SyncMapResult>(syncMapRequest, params);
  }

  async function deployedMaps(uri: string, answer: unknown): Promise<SentMap['deployed']> {
    const now = health.health();
    const target = targets.selected();
    if (target === undefined || !('diagnosis' in now)) return undefined;
    const [active, pending] = await Promise.all(
      [now.diagnosis.active, now.diagnosis.pending].map((each) => {
        const text = each && history.contentOf(target.id, each);
        return text === undefined ? undefined : ask({ uri, text, answer });
      }),
    );
    return present({ active: active ?? undefined, pending: pending ?? undefined });
  }

  /** Returns the schema of the target. It is requested again after a deploy or when the reported problems change. */
  async function schemaOfTarget(): Promise<unknown> {
    const now = health.health();
    const target = targets.selected();
    if (target === undefined || !('diagnosis' in now)) return undefined;
    const key = stateKey(services);
    if (schema?.key === key) return schema.answer;
    const api = await services.connect(target, 'quiet').catch(() => undefined);
    const answer = await api?.schema().catch(() => undefined);
    schema = { key, answer };
    return answer;
  }

  const isFollowed = (document: TextDocument): boolean => document.uri.toString() === config?.toString();
  const listeners = Disposable.from(
    workspace.onDidChangeTextDocument(({ document }) => {
      if (isFollowed(document)) soon();
    }),
    // The language server reads migrations when they are saved.
    workspace.onDidSaveTextDocument(soon),
    window.onDidChangeActiveTextEditor((editor) => {
      if (editor === undefined || isFollowed(editor.document) || !looksLikeSyncConfig(editor.document))
        return;
      config = editor.document.uri;
      soon();
    }),
    language.onDidStart(soon),
    services.onDidChange(() => {
      const next = stateKey(services);
      if (next !== state) soon();
      state = next;
    }),
  );
  return {
    follow(next) {
      config = next;
      soon();
    },
    refresh: () => void tell().catch((error: unknown) => log.error(String(error))),
    dispose() {
      clearTimeout(timer);
      turn = -1;
      listeners.dispose();
    },
  };
}

function stateKey({ health, targets, shortfalls }: Services): string {
  const now = health.health();
  const target = targets.selected();
  if (target === undefined || !('diagnosis' in now)) return '';
  const { active, pending } = now.diagnosis;
  const wrong = active?.tables.map(({ name, errors }) => [name, errors.length]);
  return JSON.stringify([
    target.id,
    [active, pending].map((each) => keyOfConfig(each)),
    wrong,
    shortfalls.of(target)?.missing,
  ]);
}
