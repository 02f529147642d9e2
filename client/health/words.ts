/** The text of the status bar for a target, and its explanation in the tooltip. */
import type { Diagnosis } from '../api/answers.ts';
import { nameOfConfig } from '../api/deployedConfig.ts';
import { t } from '../l10n.ts';
import type { LocalState } from '../local/machine.ts';
import { age, sizeText } from './amounts.ts';
import { type Health, ownErrorsOf, progressOf } from './health.ts';
import { describePast, type Shortfall } from './problems.ts';
import { type StateWords, stateOf, wordsOf } from './states.ts';

export interface Situation {
  readonly name: string;
  readonly health: Health;
  /** The state of the process, for the local service only. */
  readonly local?: LocalState | undefined;
  /** Whether the config in the editor is the deployed one. Undefined if there is no config to compare. */
  readonly isDeployed?: boolean | undefined;
  /** The known differences from the files. */
  readonly shortfall?: Shortfall | undefined;
  /** The file from which the service takes its sync config, if it is not the file in the editor. */
  readonly loads?: { readonly config: string; readonly file: string } | undefined;
}

export interface StatusWords extends Pick<StateWords, 'icon' | 'tone'> {
  readonly text: string;
  /** The paragraphs of the explanation. */
  readonly explanation: readonly string[];
}

export function wordsFor({ name, health, local, isDeployed, shortfall, loads }: Situation): StatusWords {
  const ofProcess = local && stateOfProcess(local);
  const { icon, tone, title, details, isInSync } = ofProcess ?? stateOf(health, shortfall);
  const isUnknown = ofProcess === undefined && health.kind === 'unknown';
  const explanation = [
    ...(isUnknown ? [title] : details),
    ...(ofProcess === undefined && 'diagnosis' in health ? factsOf(health, isDeployed) : []),
    ...(loads ? [t('{0} is running {1}, not the file in the editor.', loads.config, loads.file)] : []),
  ];
  if (isInSync && isDeployed === false)
    return { icon: 'git-compare', tone, text: `${name}: ${t('not deployed')}`, explanation };
  // The icon is enough for a service without problems, and for one that nobody has looked at since the window opened.
  return { icon, tone, text: tone === 'good' || isUnknown ? name : `${name}: ${title}`, explanation };
}

/** Returns the text for screen readers, which includes the explanation from the tooltip. A sentence is not said twice. */
export function spokenWords({ text, explanation }: StatusWords): string {
  const more = explanation.filter((sentence) => !text.endsWith(`: ${sentence.replace(/\.$/, '')}`));
  return ['Headwater', text, ...more].reduce(
    (said, sentence) => `${said}${/[.:]$/.test(said) ? '' : '.'} ${sentence}`,
  );
}

/** Returns words for the state of the process. Undefined while it is running, because its answers are more precise. */
function stateOfProcess(local: LocalState): StateWords | undefined {
  switch (local.kind) {
    case 'running':
      return undefined;
    case 'off':
    case 'looking':
      return wordsOf('circle-slash', 'idle', t('off'), t('The local service is not running.'));
    case 'starting':
      return wordsOf('loading~spin', 'busy', t('starting'), t('The local service is starting.'));
    case 'stopping':
      return wordsOf('loading~spin', 'busy', t('stopping'), t('The local service is stopping.'));
    case 'failed':
      return wordsOf('error', 'bad', t('not running'), local.sentence);
  }
}

/** Returns facts about the configs, apart from their problems. */
function factsOf(
  { diagnosis, overdue }: Extract<Health, { diagnosis: Diagnosis }>,
  isDeployed: boolean | undefined,
): readonly string[] {
  const { at, active, pending } = diagnosis;
  const progressAt = active && progressOf(active);
  return [
    ...(progressAt === undefined ? [] : [t('Last progress {0} ago.', age(at - progressAt))]),
    ...(active?.lagBytes === undefined ? [] : [t('{0} behind the source.', sizeText(active.lagBytes))]),
    ...(active ? [t('Active: {0}.', nameOfConfig(active))] : []),
    ...(isDeployed === undefined || overdue ? [] : [compareWithFile(isDeployed, pending !== undefined)]),
    ...[active ?? [], pending ?? []]
      .flat()
      .flatMap((deployed) =>
        ownErrorsOf(deployed).flatMap((error) => describePast(error, deployed, at) ?? []),
      ),
  ];
}

function compareWithFile(isDeployed: boolean, isCopied: boolean): string {
  if (!isDeployed) return t('The deployed config differs from the file.');
  return isCopied ? t('The file is being copied.') : t('The deployed config is the same as the file.');
}
