/** Deploys the sync config in the editor, or an earlier one that is shown there. */
import { commands, type LogOutputChannel, l10n, type QuickPickItem, type TextDocument, window } from 'vscode';
import { type ReviewParams, type ReviewResult, reviewRequest } from '../../../server/protocol.ts';
import { isFailure } from '../../api/failure.ts';
import { deployConfig, type Outcome } from '../../deploying/flow.ts';
import type { FollowLimits } from '../../deploying/follow.ts';
import { rememberOwn } from '../../deploying/history.ts';
import { problemsOf, summaryOf } from '../../deploying/reviewWords.ts';
import { type DeployTurn, openDeployTurns } from '../../deploying/turns.ts';
import { userNameIn } from '../../project/userName.ts';
import { chooseConfig, contentOf, deployedScheme } from '../configs.ts';
import { loadDeployQuestion } from '../loading.ts';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';
import { stopDeploy } from '../views/menu.ts';
import { compareWithDeployed } from './compareWithDeployed.ts';
import { type CloudProject, deployInTerminal, findCloudProject } from './deployToCloud.ts';
import { type ConnectedTarget, chooseTarget, connectSelected } from './target.ts';
import { complain, complainWith, needsQuestion, pause, say, warn, withProgress } from './telling.ts';
import { validateText } from './validateOnService.ts';

const turns = openDeployTurns();

/** The limits for following a deploy. The user sees the state in the status bar and in the view. */
const limits: FollowLimits = {
  pause: { first: 700, longest: 700, growth: 1 },
  mostFailures: 3,
  mostSilences: 30,
};

/** Returns the phase of a deploy that the user may want to stop. */
export function deployPhase(): 'preparing' | 'following' | undefined {
  const phase = turns.phase();
  return phase === 'preparing' || phase === 'following' ? phase : undefined;
}

export async function deployDocument(services: Services, named: unknown): Promise<void> {
  const { log } = services;
  if (named === stopDeploy) return stop();
  if (deployPhase() === 'preparing' && (await loadDeployQuestion()).revealDeployPage()) return;
  if (deployPhase() !== undefined) return offerToStop();
  const document = await chooseConfig(named, () => complain(log, l10n.t('Open the sync config to deploy.')));
  if (document === undefined) return;
  const cloud = await findCloudProject(document.uri);
  if (cloud !== undefined) {
    const place = await chooseService(services, cloud);
    if (place === undefined) return;
    if (place === 'cloud')
      return withProgress(log, l10n.t('Deploying'), async () => {
        if (!document.isDirty || (await document.save())) await deployInTerminal(services, document, cloud);
      });
  }
  await turns.stop();
  await turns.take((turn) =>
    withProgress(log, l10n.t('Deploying'), async () => {
      if (document.isDirty && !(await document.save())) return;
      if ((await chooseTarget(services))?.kind === 'local') await prepareLocal(services, document);
      const connected = await connectSelected(services);
      if (connected !== undefined) await deployTo(services, document, { ...connected, turn });
    }),
  );
}

/** Asks which service to deploy to. Returns undefined if the user chose none. */
async function chooseService(
  { targets }: Services,
  { instance }: CloudProject,
): Promise<'cloud' | 'other' | undefined> {
  const name = targets.selected()?.name;
  const cloud: QuickPickItem = {
    label: '$(cloud) PowerSync Cloud',
    ...(instance !== undefined && { description: instance }),
    detail: l10n.t("PowerSync's command line deploys it, in a terminal."),
  };
  const other: QuickPickItem = { label: `$(server) ${name ?? l10n.t('Another Service …')}` };
  const picked = await window.showQuickPick([cloud, other], { title: l10n.t('Which service?') });
  return picked && (picked === cloud ? 'cloud' : 'other');
}

/** Deploys after a save: asks no question, does not deploy a file with errors, and replaces a copy that is in progress. */
export async function deployQuietly(
  services: Services,
  document: TextDocument,
  target: Target,
): Promise<void> {
  // Another deploy is being prepared or is waiting for an answer of the user.
  if (turns.phase() === 'preparing') return;
  await turns.stop();
  await turns.take((turn) =>
    withProgress(services.log, l10n.t('Deploying'), async () => {
      await prepareLocal(services, document);
      const now = services.targets.selected() ?? target;
      const api = await services.connect(now, 'quiet');
      if (api !== undefined) await deployTo(services, document, { target: now, api, turn });
    }),
  );
}

/**
 * Prepares the database of the local service with the files that create the tables of this config. A deployed config that is
 * shown in the editor has no such files.
 */
async function prepareLocal({ local, targets }: Services, { uri }: TextDocument): Promise<void> {
  if (uri.scheme !== 'file') return;
  await local?.prepareFor(uri.toString());
  await targets.refresh();
}

async function offerToStop(): Promise<void> {
  const isSent = deployPhase() === 'following';
  const end: QuickPickItem = isSent
    ? {
        label: l10n.t('Stop Following'),
        detail: l10n.t('The config has been sent and cannot be cancelled: the service continues with it.'),
      }
    : { label: l10n.t('Cancel Deploy'), detail: l10n.t('Nothing is sent yet.') };
  const keep: QuickPickItem = { label: isSent ? l10n.t('Keep Following') : l10n.t('Go On') };
  const picked = await window.showQuickPick([end, keep], { title: l10n.t('A deploy is in progress.') });
  if (picked === end) await stop();
}

async function stop(): Promise<void> {
  if (turns.phase() === 'preparing') turns.cancel();
  else await turns.stop();
}

interface DeployTarget extends ConnectedTarget {
  readonly turn: DeployTurn;
}

async function deployTo(
  services: Services,
  document: TextDocument,
  { target, api, turn }: DeployTarget,
): Promise<void> {
  const { log, language, history, health, shortfalls } = services;
  const content = contentOf(document);
  const uri = document.uri.toString();
  const isAsked = needsQuestion(target);
  let isOutdated = false;
  try {
    const outcome = await deployConfig({
      api,
      content,
      review: (before) =>
        language.ask<ReviewResult>(reviewRequest, {
          uri,
          text: content,
          ...(before !== undefined && { before }),
        } satisfies ReviewParams),
      // These facts are only read if there is a question.
      ...(isAsked && {
        plan: () => api.plan(content, turn.preparing).catch(() => undefined),
        affected: () => api.affectedUsers(content, turn.preparing).catch(() => undefined),
        forecast: () => api.forecastOf(content, undefined, turn.preparing).catch(() => undefined),
      }),
      check: () => shortfalls.check(api, content, turn.preparing),
      lastContent: history.ownContent(target.id),
      confirm: async (question) => {
        if (!isAsked) return true;
        const { askBeforeDeploy } = await loadDeployQuestion();
        const compare = () => compareWithDeployed(services, document.uri);
        const isConfirmed = await askBeforeDeploy(question, { target, compare, signal: turn.preparing });
        // The file may have changed while the page was open.
        isOutdated = isConfirmed && contentOf(document) !== content;
        return isConfirmed && !isOutdated;
      },
      isSlowToConfirm: isAsked,
      onStage(stage) {
        if (stage.kind === 'copying') return health.learn(stage.diagnosis);
        turn.noteSent();
        void rememberOwn({ sent: stage.sent, content, at: Date.now() }, { history, target: target.id });
      },
      policy: { same: 'leave', end: 'active' },
      user: userNameIn(process.env),
      limits,
      // The view also shows clients and buckets.
      asks: { clients: true, buckets: true },
      pause,
      hasTime: () => true,
      following: turn.following,
      preparing: turn.preparing,
    });
    if (!isOutdated) await tell(services, document, outcome, target);
  } catch (error) {
    // The service reports exact places only when it validates the config.
    if (isFailure(error) && error.facts.code === 'R0001') await validateText(services, document, target, api);
    throw error;
  } finally {
    await health.askNow();
  }
  if (isOutdated && (!document.isDirty || (await document.save())))
    return deployTo(services, document, { target, api, turn });
  log.debug(`Deployed from ${uri}`);
}

async function tell(
  { log }: Services,
  document: TextDocument,
  outcome: Outcome,
  target: Target,
): Promise<void> {
  const summary = summaryOf(outcome, target.name);
  switch (outcome.kind) {
    case 'blocked':
      // The Problems view contains neither the errors of a deployed config nor errors whose severity a setting lowers.
      if (document.uri.scheme === deployedScheme || outcome.playedDown.length > 0)
        return complain(log, summary);
      // The deploy ends now, and the notification may stay open for longer.
      void offerProblems(log, summary);
      return;
    case 'failed':
    case 'foreign':
      return complain(log, summary);
    case 'unchanged':
    case 'active':
      return problemsOf(outcome.source).length > 0 ? warn(log, summary) : say(log, summary);
    case 'declined':
    case 'replaced':
    case 'unfollowed':
      return say(log, summary);
  }
}

async function offerProblems(log: LogOutputChannel, summary: string): Promise<void> {
  if (await complainWith(log, summary, l10n.t('Show Problems')))
    await commands.executeCommand('workbench.actions.view.problems');
}
