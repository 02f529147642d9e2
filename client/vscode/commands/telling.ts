/**
 * Reports of commands, which are all logged, and one question before any action that cannot be undone. A success appears in the
 * status bar, in an item with the role `alert`, because screen readers do not announce the status bar itself. An editor does not
 * report whether it has detected a screen reader; a user who has set this gets notifications, which also stay readable. A failure
 * is always a notification. No report opens the panel.
 */
import { type LogOutputChannel, l10n, ProgressLocation, StatusBarAlignment, window } from 'vscode';
import { isFailure } from '../../api/failure.ts';
import { explainFailure } from '../../deploying/reviewWords.ts';
import { prefersText, readServiceSettings } from '../settings.ts';
import { isAllowed } from '../targets/consent.ts';
import type { Target } from '../targets/target.ts';

/** The durations of reports, in milliseconds. */
const shown = { news: 8_000, trouble: 20_000 };

export function say(log: LogOutputChannel, sentence: string): void {
  log.info(sentence);
  if (prefersText()) void window.showInformationMessage(sentence);
  else showInStatusBar('info', sentence, shown.news);
}

/** Reports a success with problems. */
export function warn(log: LogOutputChannel, sentence: string): void {
  log.warn(sentence);
  if (prefersText()) void window.showWarningMessage(sentence);
  else showInStatusBar('warning', sentence, shown.trouble);
}

/** A new item for each report, because screen readers announce an alert when it appears. */
function showInStatusBar(icon: string, sentence: string, duration: number): void {
  const item = window.createStatusBarItem('headwater.report', StatusBarAlignment.Left, 0);
  item.name = l10n.t('Headwater: Results of Commands');
  item.text = `$(${icon}) ${sentence}`;
  item.accessibilityInformation = { label: sentence, role: 'alert' };
  item.show();
  setTimeout(() => item.dispose(), duration);
}

/** Reports a success that has details in the log, with a button that shows them. */
export function offerLog(log: LogOutputChannel, sentence: string): void {
  log.info(sentence);
  const showLog = l10n.t('Show Log');
  void window.showInformationMessage(sentence, showLog).then((answer) => {
    if (answer === showLog) log.show(true);
  });
}

/** Reports a failure. The notification contains the first line, and the log contains all lines. */
export function complain(log: LogOutputChannel, sentence: string): void {
  void complainWith(log, sentence, l10n.t('Show Log')).then((isAsked) => {
    if (isAsked) log.show(true);
  });
}

/** Reports a failure with its remedy as a button. Returns whether the user chose it. */
export async function complainWith(
  log: LogOutputChannel,
  sentence: string,
  remedy: string,
): Promise<boolean> {
  log.error(sentence);
  return (await window.showErrorMessage(firstLineOf(sentence), remedy)) === remedy;
}

function firstLineOf(sentence: string): string {
  return sentence.split('\n')[0] ?? '';
}

/** Shows the progress of a command. Reports a refusal of the service as a sentence. */
export async function withProgress(
  log: LogOutputChannel,
  title: string,
  work: () => Promise<void>,
): Promise<void> {
  await window.withProgress({ location: ProgressLocation.Window, title }, async () => {
    try {
      await work();
    } catch (error) {
      if (isFailure(error, 'cancelled')) return;
      const sentence = isFailure(error) ? explainFailure(error) : String(error);
      complain(log, sentence);
    }
  });
}

/** The milliseconds after which the user can cancel a wait. A notification for a shorter one would only flicker. */
const shortWait = 3_000;

/** Waits for an answer of a service to a call that changes nothing there. If it takes long, a notification can cancel the call. */
export async function untilAnswered<T>(
  service: string,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const answer = call(end.signal);
  const settled = answer.then(
    () => {},
    () => {},
  );
  const title = l10n.t('Waiting for {0}', service);
  const timer = setTimeout(() => {
    const options = { location: ProgressLocation.Notification, title, cancellable: true };
    void window.withProgress(options, (_progress, token) => {
      token.onCancellationRequested(() => end.abort());
      return settled;
    });
  }, shortWait);
  void settled.then(() => clearTimeout(timer));
  return answer;
}

/** Whether others may use the service, so that the user is asked before an action on it. */
export function needsQuestion(target: Target): boolean {
  return !isAllowed(target.url ?? '', readServiceSettings().allowDeployTo);
}

/** Asks before an action on a service that others may use. */
export async function confirmFor(
  target: Target,
  question: string,
  details: string,
  yes: string,
): Promise<boolean> {
  if (!needsQuestion(target)) return true;
  return (await chooseButton(question, [target.url ?? '', '', details].join('\n'), [yes])) === yes;
}

/** Asks before an action that cannot be undone. Undefined if the user refuses. */
export async function chooseButton(
  question: string,
  detail: string,
  buttons: readonly string[],
): Promise<string | undefined> {
  return window.showWarningMessage(question, { modal: true, detail }, ...buttons);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
