/** Checks, deploys and follows a sync config, for `deploy` and `reset`. */
import type { AccessComparison, MissingName } from '../../server/engine/index.ts';
import type { Api } from '../api/api.ts';
import { nameAtStart } from '../api/deployedConfig.ts';
import { describeMissing } from '../api/missing.ts';
import { deployConfig, type Question } from '../deploying/flow.ts';
import { pageLines, pageOf } from '../deploying/page.ts';
import { userNameIn } from '../project/userName.ts';
import { harmless, paintFor } from './colours.ts';
import type { Answer, Call } from './command.ts';
import { factsBefore } from './deployFacts.ts';
import { answerOf, explainConfigured, followParts, showCopying, timeoutOf } from './deployment.ts';
import { accessJson, accessLines } from './diff/access.ts';
import { questionJson, questionsFor } from './diff/plan.ts';
import { CliFailure } from './failure.ts';
import { type Instance, withService } from './instance.ts';
import { missingOnService } from './project/missing.ts';
import { nameSyncConfig, readSyncText } from './project/syncConfig.ts';
import { readText } from './read.ts';
import { checkOnService } from './validate/checkOnService.ts';
import { type CheckedFile, checkText, count, placedInFile } from './validate/checkText.ts';
import { textLines } from './validate/text.ts';

export type DeployCall = Call<'service' | 'directory' | 'no-wait' | 'timeout' | 'force'> & {
  /** The maximum copy rate in rows per second. */
  readonly rate?: number | undefined;
};

/** Reads a file that must be a sync config without errors, unless errors are to be ignored. */
export async function readDeployable({
  words,
  world,
  has,
  text,
  progress,
}: DeployCall): Promise<CheckedFile> {
  const path = await nameSyncConfig({ words, text, world });
  const checked = checkText(path, await readSyncText(path, world.files), undefined, world);
  if (checked.kind !== 'sync') throw new CliFailure(`${path} is not a sync config.`);
  if (!has('force')) await refuseErrors(checked, { world, progress });
  return checked;
}

type ReportParts = Pick<DeployCall, 'world' | 'progress'>;

async function refuseErrors(checked: CheckedFile, call: ReportParts): Promise<void> {
  if (count([checked], 'error') === 0) return;
  const fileText = await readText(checked.path, call.world.files);
  showFindings(placedInFile(checked, { fileText }, call.world), call);
  throw new CliFailure(`${checked.path} has errors, so it was not deployed.`, 1);
}

/** Prints findings on standard error, because they are not the answer. */
export function showFindings(checked: CheckedFile, { world, progress }: ReportParts): void {
  progress.end();
  const paint = paintFor(world.terminal.errors, world.env);
  for (const line of textLines([checked], paint, true)) world.complain(line);
}

/** @param instance replaces the instance that the command line and its environment name */
export async function deployFile(call: DeployCall, own: CheckedFile, instance?: Instance): Promise<Answer> {
  const { world, progress, has } = call;
  const timeout = timeoutOf(call);
  const isSilent = has('quiet') && !has('json');
  const deploySafely = async (api: Api): Promise<Answer> => {
    progress.show('Checking …');
    let facts: Awaited<ReturnType<typeof factsBefore>> | undefined;
    let question: Question | undefined;
    const outcome = await deployConfig({
      ...followParts({ world, timeout }),
      user: userNameIn(world.userEnv),
      api,
      content: own.text,
      rate: call.rate,
      policy: { same: has('force') ? 'send' : 'follow', end: has('no-wait') ? 'sent' : 'active' },
      review: async (before) => {
        await checkBefore(api, own, call);
        facts = isSilent ? undefined : await factsBefore(api, own, before, world);
        return facts?.review;
      },
      check: async () => facts?.source ?? { missing: undefined, warnings: [] },
      ...(!isSilent && questionsFor(api, own.text, world.signal)),
      lastContent: undefined,
      confirm: async (asked) => {
        question = asked;
        if (!has('json') && !has('quiet')) showPage(asked, call);
        return true;
      },
      onStage: (stage) => {
        if (stage.kind === 'copying') showCopying(stage.diagnosis, progress);
        else if (!has('no-wait'))
          progress.show(`${nameAtStart(stage.sent)} is deployed. Waiting until it is active …`);
      },
    });
    world.signal.throwIfAborted();
    const answer = withReview(answerOf(outcome, timeout), facts?.access, question);
    const missing =
      outcome.kind === 'active' || outcome.kind === 'unchanged'
        ? await missingOnService(api, own, world)
        : [];
    return missing.length === 0 ? answer : withMissing(answer, missing);
  };
  return withService(call, deploySafely, instance).catch((error: unknown) => {
    throw explainConfigured(error);
  });
}

/** Adds the missing tables, because the config is active but not all of it syncs. */
function withMissing(answer: Answer, missing: readonly MissingName[]): Answer {
  return {
    ...answer,
    json: { ...(answer.json as object), missing },
    lines: [...(answer.lines ?? []), ...describeMissing(missing).map((line) => `Warning: ${harmless(line)}`)],
  };
}

function withReview(
  answer: Answer,
  access: AccessComparison | undefined,
  question: Question | undefined,
): Answer {
  const review = { ...(access && { access: accessJson(access) }), ...(question && questionJson(question)) };
  return Object.keys(review).length === 0
    ? answer
    : { ...answer, json: { ...(answer.json as object), ...review } };
}

/** Refuses a config with errors, and shows the other findings. */
async function checkBefore(api: Api, own: CheckedFile, call: DeployCall): Promise<void> {
  const { world, has } = call;
  const [checked = own] = await checkOnService(api, [own], world);
  if (!has('force')) await refuseErrors(checked, call);
  // A service may find problems that we cannot see, for example tables without a publication.
  if (!has('quiet')) showFindings(checked, call);
}

/** Prints the page before a deploy on standard error, before anything is sent. */
function showPage(question: Question, { world, progress }: ReportParts): void {
  progress.end();
  for (const line of pageLines(pageOf(question))) world.complain(harmless(line));
}

/** Prints who gains and who loses rows on standard error, because rows that a device has received cannot be taken back. */
export function showAccess(access: AccessComparison | undefined, { world, progress }: ReportParts): void {
  progress.end();
  const paint = paintFor(world.terminal.errors, world.env);
  for (const change of access?.changes ?? [])
    for (const line of accessLines(change, paint)) world.complain(line);
}
