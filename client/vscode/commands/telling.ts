/** How commands tell what happened: in the status bar and the log, and in one question before what cannot be undone. */
import { type LogOutputChannel, ProgressLocation, window } from 'vscode';
import { isFailure } from '../../api/failure.ts';
import { explainFailure } from '../../deploying/words.ts';
import { readServiceSettings } from '../settings.ts';
import { isAllowed } from '../targets/consent.ts';
import type { Target } from '../targets/target.ts';

/** Milliseconds. */
const shown = { news: 8_000, trouble: 20_000 };

export function say(log: LogOutputChannel, sentence: string): void {
  log.info(sentence);
  window.setStatusBarMessage(`$(info) ${sentence}`, shown.news);
}

/** It worked, and not all is well. */
export function warn(log: LogOutputChannel, sentence: string): void {
  log.warn(sentence);
  window.setStatusBarMessage(`$(warning) ${sentence}`, shown.trouble);
}

/** What did not work is also put before the eyes of who asked for it. */
export function complain(log: LogOutputChannel, sentence: string): void {
  complainBriefly(log, sentence);
  log.show(true);
}

/** Where something else shows the reasons, which the log would cover. */
export function complainBriefly(log: LogOutputChannel, sentence: string): void {
  log.error(sentence);
  window.setStatusBarMessage(`$(error) ${sentence.split('\n')[0]}`, shown.trouble);
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
