/**
 * Reports of commands, which are all logged, and one question before anything that cannot be undone. A success appears in
 * the status bar, which screen readers do not announce: who uses one gets a notification instead. A failure is always
 * a notification.
 */
import { type LogOutputChannel, l10n, ProgressLocation, window } from 'vscode';
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
  else window.setStatusBarMessage(`$(info) ${sentence}`, shown.news);
}

/** Reports a success with problems. */
export function warn(log: LogOutputChannel, sentence: string): void {
  log.warn(sentence);
  if (prefersText()) void window.showWarningMessage(sentence);
  else window.setStatusBarMessage(`$(warning) ${sentence}`, shown.trouble);
}

/** Reports a failure. The notification has its first line, and the log has them all. */
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

/** Reports a failure whose reasons a view shows that is opened at the same time. */
export function complainBriefly(log: LogOutputChannel, sentence: string): void {
  log.error(sentence);
  if (prefersText()) void window.showErrorMessage(firstLineOf(sentence));
  else window.setStatusBarMessage(`$(error) ${firstLineOf(sentence)}`, shown.trouble);
}

function firstLineOf(sentence: string): string {
  return sentence.split('\n')[0] ?? '';
}

/** Says what happens while it happens; whatever a service refuses ends as a sentence. */
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

/** Asked only before what reaches a service that others may use. `other` is a way to look first. */
export async function confirmFor(
  target: Target,
  question: string,
  details: string,
  yes: string,
  other?: string,
): Promise<'yes' | 'other' | 'no'> {
  if (isAllowed(target.url ?? '', readServiceSettings().allowDeployTo)) return 'yes';
  const buttons = [yes, ...(other === undefined ? [] : [other])];
  const answer = await chooseButton(question, [target.url ?? '', '', details].join('\n'), buttons);
  if (answer === undefined) return 'no';
  return answer === yes ? 'yes' : 'other';
}

/** Before what cannot be undone. Undefined if the person does not want it. */
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
