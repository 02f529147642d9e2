/** The services that commands use: targets, the local service, health, and the deployed config. */

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
import type { Diagnosis } from '../api/answers.ts';
import type { Api } from '../api/api.ts';
import { ApiFailure } from '../api/failure.ts';
import { present } from '../api/reading.ts';
import { type History, openHistory, rememberContents } from '../deploying/history.ts';
import { ageTime } from '../health/clock.ts';
import { type Poller, pollHealth } from '../health/poller.ts';
import { diagnoseInTime } from '../health/signOfLife.ts';
import { grantFor, isGranted, readGrants } from '../project/trust.ts';
import { say, warn } from './commands/telling.ts';
import { shownConfig } from './configs.ts';
import { Connections } from './connections.ts';
import type { LanguageServer } from './language.ts';
import { LocalService } from './localService.ts';
import { keepSchema, type Schema } from './schema.ts';
import { readServiceSettings } from './settings.ts';
import { type RawAnswer, shareDiagnosis } from './sharedDiagnosis.ts';
import { openShortfalls, type Shortfalls } from './shortfalls.ts';
import type { Target } from './targets/target.ts';
import { openTargets, type Targets } from './targets/targets.ts';
import type { Consents, Tokens } from './targets/tokens.ts';

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
  /** Asks the selected service for a diagnosis, and passes the answer on to {@link health}. */
  readonly shareDiagnosis: (api: Api, ask: () => Promise<RawAnswer>) => Promise<RawAnswer>;
  readonly shortfalls: Shortfalls;
  /** Fires when the health, the target, or the process of the local service has changed. */
  readonly onDidChange: Event<void>;
  readonly connect: Connections['connect'];
  readonly connectAs: Connections['connectAs'];
}

export function openServices(
  context: ExtensionContext,
  log: LogOutputChannel,
  language: LanguageServer,
): Services {
  const changed = new EventEmitter<void>();
  const folder = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath;
  const connections = new Connections({
    secrets: context.secrets,
    folder,
    consents: openConsents(context.globalState, folder ?? workspace.workspaceFile?.toString() ?? ''),
    localToken: async () => (await local?.token()) ?? '',
  });
  const local =
    folder === undefined
      ? undefined
      : new LocalService({
          context,
          folder,
          answers: async (url, token) => (await connections.at({ url, token })).acceptsToken(),
          schemaFor: (config) => schemaFor(config, folder, language),
        });
  const parts = {
    context,
    log,
    language,
    targets: openTargets(context.workspaceState, () => local?.target()),
    tokens: connections.tokens,
    local,
    history: openHistory(context.workspaceState),
    schema: keepSchema(language),
    shortfalls: openShortfalls(language, {
      onChange: () => changed.fire(),
      onNews: (sentences) => (sentences.length === 1 ? say : warn)(log, sentences.join(' ')),
    }),
    connect: connections.connect,
    connectAs: connections.connectAs,
  };
  const { targets, schema } = parts;
  const health = pollHealth(
    {
      ask: (signal) => diagnoseSelected(parts, signal),
      isWanted: () => isWatched(targets.selected()),
      now: ageTime,
      after: (milliseconds, call) => {
        const timer = setTimeout(call, milliseconds);
        return () => clearTimeout(timer);
      },
    },
    () => changed.fire(),
  );
  const owned = Disposable.from(
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
    health,
    connections,
  );
  if (local && readServiceSettings().local.autoStart) void local.start();
  return {
    ...parts,
    health,
    shareDiagnosis: (api, ask) => {
      const target = targets.selected();
      return shareDiagnosis(ask, {
        poller: health,
        learnMore: async (diagnosis) => target && learnMore(parts, { api, target }, diagnosis),
        now: ageTime,
      });
    },
    onDidChange: changed.event,
    dispose: () => void owned.dispose(),
  };
}

/** Returns the files that create the tables of a config, or of the shown config. */
async function schemaFor(
  config: string | undefined,
  folder: string,
  language: LanguageServer,
): Promise<readonly string[] | undefined> {
  await language.ensure();
  const named = config ?? shownConfig()?.uri.toString();
  const params = { folder: Uri.file(folder).toString(), ...present({ config: named }) };
  const found = await language.ask<ProjectSchemaResult>(projectSchemaRequest, params);
  return found?.paths;
}

type ServiceParts = Omit<Services, 'health' | 'shareDiagnosis' | 'onDidChange' | 'dispose'>;

/** Asks the selected service for its state. */
async function diagnoseSelected(services: ServiceParts, signal: AbortSignal): Promise<Diagnosis> {
  const target = services.targets.selected();
  if (target === undefined) throw new ApiFailure('cancelled', l10n.t('No service is selected.'));
  const api = await services.connect(target, 'quiet');
  if (api === undefined) throw new ApiFailure('cancelled', l10n.t('No token was given.'));
  const diagnosis = await diagnoseInTime(api, { clients: true, buckets: true }, signal);
  await learnMore(services, { api, target }, diagnosis);
  return diagnosis;
}

async function learnMore(
  { history, shortfalls, schema, log }: ServiceParts,
  { api, target }: { readonly api: Api; readonly target: Target },
  diagnosis: Diagnosis,
): Promise<void> {
  await learnContents(api, target, diagnosis, history);
  const { active } = diagnosis;
  const text = active && history.contentOf(target.id, active);
  const report = (error: unknown) => log.error(String(error));
  void shortfalls.learn(api, target, diagnosis, text).catch(report);
  void schema.learnLimits(api, target, diagnosis).catch(report);
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
  const hasContents = deployments.every(({ content }) => content !== undefined);
  const answer = hasContents ? diagnosis : await api.diagnose({ content: true });
  await rememberContents(answer, { history, target: target.id });
}
