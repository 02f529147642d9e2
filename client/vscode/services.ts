/** The services that commands use: targets, the local service, health, and the deployed config. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  Disposable,
  type Event,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  l10n,
  type Memento,
  Uri,
  window,
  workspace,
} from 'vscode';
import { type ProjectSchemaResult, projectSchemaRequest } from '../../server/protocol.ts';
import { type Diagnosis, nameOfDeployment } from '../api/answers.ts';
import type { Api, TokenVerdict } from '../api/api.ts';
import type { Endpoint } from '../api/connection.ts';
import { ApiFailure, isFailure } from '../api/failure.ts';
import { present } from '../api/reading.ts';
import { type History, openHistory } from '../deploying/history.ts';
import { createAgeClock } from '../health/clock.ts';
import { type Poller, pollHealth } from '../health/poller.ts';
import { grantFor, isGranted, readGrants } from '../project/trust.ts';
import { say, warn } from './commands/telling.ts';
import { shownConfig } from './configs.ts';
import type { LanguageServer } from './language.ts';
import { loadOnDemand } from './loading.ts';
import { LocalService } from './localService.ts';
import { keepSchema, type Schema } from './schema.ts';
import { readProxy, readServiceSettings } from './settings.ts';
import { openShortfalls, type Shortfalls } from './shortfalls.ts';
import { requireUrl, type Target } from './targets/target.ts';
import { openTargets, type Targets } from './targets/targets.ts';
import { type Consents, type FoundToken, openTokens, type Tokens } from './targets/tokens.ts';

export interface Services extends Disposable {
  readonly context: ExtensionContext;
  readonly log: LogOutputChannel;
  readonly language: LanguageServer;
  readonly targets: Targets;
  readonly tokens: Tokens;
  /** Absent if the workspace has no folder on this disk. */
  readonly local: LocalService | undefined;
  readonly history: History;
  readonly schema: Schema;
  readonly health: Poller;
  readonly shortfalls: Shortfalls;
  /** Fires when the health, the target, or the process of the local service has changed. */
  readonly onDidChange: Event<void>;
  /** Connects to a target. Returns undefined if the user was asked for a token and entered none. */
  connect(target: Target, asks: 'asks' | 'quiet'): Promise<Api | undefined>;
  /** Connects with a token of a client. The caller closes the connection. */
  connectAs(target: Target, token: FoundToken): Promise<Api>;
}

export function openServices(
  context: ExtensionContext,
  log: LogOutputChannel,
  language: LanguageServer,
): Services {
  const changed = new EventEmitter<void>();
  const open = new Map<string, Api>();
  const history = openHistory(context.workspaceState);
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const answers = async (url: string, token: string) => {
    const api = await apiFor({ url, token });
    return api.acceptsToken();
  };
  const schema = keepSchema(language);
  const schemaFor = async (config: string | undefined) => {
    await language.ensure();
    const named = config ?? shownConfig()?.uri.toString();
    const params = { folder: Uri.file(folder ?? '').toString(), ...present({ config: named }) };
    const found = await language.ask<ProjectSchemaResult>(projectSchemaRequest, params);
    return found?.paths;
  };
  const local = folder === undefined ? undefined : new LocalService({ context, folder, answers, schemaFor });
  const targets = openTargets(context.workspaceState, () => local?.target());
  const consents = openConsents(context.globalState, folder ?? workspace.workspaceFile?.toString() ?? '');
  const prove = async (target: Target, token: FoundToken): Promise<TokenVerdict> => {
    try {
      return await (await apiFor(endpointOf(target, token, folder))).judgeToken();
    } catch (error) {
      // A text that cannot be a token is not sent.
      if (isFailure(error, 'unauthorized')) return 'refused';
      throw error;
    }
  };
  const ofLocal = async () => (await local?.token()) ?? '';
  const tokens = openTokens(context.secrets, ofLocal, consents, prove);

  /** Returns the connection for an endpoint, which is kept for further calls. */
  async function apiFor(endpoint: Endpoint): Promise<Api> {
    const key = JSON.stringify(endpoint);
    const known = open.get(key);
    if (known !== undefined) return known;
    const { openApi } = await loadOnDemand();
    const api = open.get(key) ?? openApi(endpoint);
    open.set(key, api);
    return api;
  }

  async function connect(target: Target, asks: 'asks' | 'quiet'): Promise<Api | undefined> {
    // Check the address before the user is asked for a token.
    requireUrl(target);
    const found = await tokens.of(target, asks);
    const isRefused =
      asks === 'asks' &&
      found !== undefined &&
      target.token.kind === 'stored' &&
      (await prove(target, found)) === 'refused';
    const token = isRefused ? await tokens.askAgain(target, 'refused') : found;
    return token && apiFor(endpointOf(target, token, folder));
  }

  async function connectAs(target: Target, token: FoundToken): Promise<Api> {
    const { openApi } = await loadOnDemand();
    return openApi(endpointOf(target, token, folder));
  }

  const shortfalls = openShortfalls(language, {
    onChange: () => changed.fire(),
    onNews: (sentences) => (sentences.length === 1 ? say : warn)(log, sentences.join(' ')),
  });
  const health = pollHealth(
    {
      async ask(signal) {
        const target = targets.selected();
        if (target === undefined) throw new ApiFailure('cancelled', l10n.t('No service is selected.'));
        const api = await connect(target, 'quiet');
        if (api === undefined) throw new ApiFailure('cancelled', l10n.t('No token was given.'));
        const diagnosis = await api.diagnose({ clients: true, buckets: true }, signal);
        await learnContents(api, target, diagnosis, history);
        const { active } = diagnosis;
        const text = active && history.contentOf(target.id, active.slot);
        void shortfalls
          .learn(api, target, diagnosis, text)
          .catch((error: unknown) => log.error(String(error)));
        void schema.learnLimits(api, target, diagnosis).catch((error: unknown) => log.error(String(error)));
        return diagnosis;
      },
      isWanted: () => isWatched(targets.selected()),
      now: createAgeClock(),
      after: (milliseconds, call) => {
        const timer = setTimeout(call, milliseconds);
        return () => clearTimeout(timer);
      },
    },
    () => changed.fire(),
  );

  const parts = Disposable.from(
    changed,
    targets,
    schema,
    targets.onDidChange(() => health.retarget()),
    window.onDidChangeWindowState(() => health.reconsider()),
    ...(local
      ? [
          local,
          local.onDidChange(() => {
            void targets.refresh();
            changed.fire();
          }),
        ]
      : []),
    { dispose: () => health.dispose() },
    { dispose: () => void Promise.all([...open.values()].map((api) => api.close())) },
  );
  if (local && readServiceSettings().local.autoStart) void local.start();
  const dispose = () => void parts.dispose();
  return {
    context,
    log,
    language,
    targets,
    tokens,
    local,
    history,
    schema,
    health,
    shortfalls,
    connect,
    connectAs,
    onDidChange: changed.event,
    dispose,
  };
}

/**
 * A remote service is asked only while the window has the focus. The local service is always asked, because it is a process on
 * this machine, and users often look at its state next to a browser.
 */
function isWatched(target: Target | undefined): boolean {
  return target?.url !== undefined && (target.kind === 'local' || window.state.focused);
}

/** Opens the consents, which the editor stores where no file of a workspace can change them. */
function openConsents(memory: Memento, folder: string): Consents {
  const grants = () => readGrants(memory.get('trust'));
  return {
    has: (consent) => isGranted(grants(), grantFor(folder, consent)),
    add: async (consent) => memory.update('trust', [...grants(), grantFor(folder, consent)]),
  };
}

/** Reads the content of each deployment once, not every five seconds. */
async function learnContents(
  api: Api,
  target: Target,
  diagnosis: Diagnosis,
  history: History,
): Promise<void> {
  const deployments = [diagnosis.active, diagnosis.pending].filter((each) => each !== undefined);
  if (deployments.every((each) => history.knows(target.id, each))) return;
  await rememberContents(await api.diagnose({ content: true }), target, history);
}

export async function rememberContents(
  diagnosis: Diagnosis,
  target: Target,
  history: History,
): Promise<void> {
  for (const deployed of [diagnosis.active, diagnosis.pending]) {
    if (deployed?.content === undefined) continue;
    const { slot, content, deployedAt } = deployed;
    const name = nameOfDeployment(deployed);
    await history.remember(target.id, { slot, name, content, deployedAt, seenAt: diagnosis.at });
  }
}

/** @param folder the folder of the workspace */
function endpointOf(target: Target, { token, origin }: FoundToken, folder: string | undefined): Endpoint {
  return {
    url: requireUrl(target),
    name: target.name,
    token,
    tokenOrigin: origin,
    ...(target.ca !== undefined && { ca: readCa(target.ca, folder) }),
    proxy: readProxy(),
  };
}

function readCa(path: string, folder = ''): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch {
    throw new ApiFailure('untrusted', l10n.t('The certificates in {0} cannot be read.', path));
  }
}
