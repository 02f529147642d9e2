/** The status menu: first the remedy for the current problem, then the most frequent actions. */
import type { AnsweredHealth, Health } from '../../health/health.ts';
import { type ScriptTrouble, type Shortfall, troubleSentence, troublesOf } from '../../health/problems.ts';
import { t } from '../../l10n.ts';
import type { LocalState } from '../../local/machine.ts';

interface MenuItem {
  readonly label: string;
  readonly detail?: string;
  readonly command: string;
  readonly argument?: unknown;
}

/** The argument with which the command Deploy stops or unfollows the current deploy, instead of starting one. */
export const stopDeploy = 'stop';

type DeployPhase = 'preparing' | 'following';

export function stopTitle(phase: DeployPhase): string {
  return phase === 'following' ? t('Stop Following') : t('Cancel Deploy');
}

interface MenuSituation {
  readonly health: Health;
  /** The state of the local service; absent for any other. */
  readonly local?: LocalState | undefined;
  /** Whether its database can be created again. */
  readonly ownsDatabase: boolean;
  readonly shortfall: Shortfall | undefined;
  /** Whether the config in the editor is the deployed one; undefined if there is none. */
  readonly isDeployed: boolean | undefined;
  /** The phase of the current deploy. */
  readonly deploying: DeployPhase | undefined;
}

/** The maximum number of offered files. The view lists all of them. */
const mostFiles = 3;

export function menuOf(situation: MenuSituation): readonly MenuItem[] {
  const { local } = situation;
  if (local?.kind === 'off' || local?.kind === 'failed')
    return [
      item(
        'startLocalService',
        `$(play) ${t('Start Local Service')}`,
        local.kind === 'failed' ? local.sentence : undefined,
      ),
      ...general(),
    ];
  return [...stopOf(situation), ...remediesOf(situation), ...usualOf(situation), ...general()];
}

function stopOf({ deploying }: MenuSituation): readonly MenuItem[] {
  if (deploying === undefined) return [];
  return [{ ...item('deploy', `$(close) ${stopTitle(deploying)}`), argument: stopDeploy }];
}

function remediesOf({ health, shortfall, ownsDatabase, isDeployed }: MenuSituation): readonly MenuItem[] {
  if (health.kind === 'refused' && (health.why === 'tokenless' || health.why === 'unauthorized'))
    return [item('giveToken', `$(key) ${t('Enter Another Token')}`, health.sentence)];
  if (!('diagnosis' in health)) return [];
  const troubles = shortfall?.scripts === undefined ? [] : troublesOf(shortfall.scripts);
  const [first] = troubles;
  // A failed script has to be repaired in its file first, because it would also fail in a reset.
  const failed = troubles.filter(({ kind }) => kind === 'failed').slice(0, mostFiles);
  const others = troubles.filter(({ kind }) => kind !== 'failed').slice(0, mostFiles - failed.length);
  const reset = `$(discard) ${t('Reset Local Database')}`;
  return [
    ...(isDeployNext(health, isDeployed)
      ? [
          item(
            'deploy',
            `$(cloud-upload) ${t('Deploy Sync Config')}`,
            t('The deployed config differs from the file.'),
          ),
        ]
      : []),
    ...failed.flatMap(fileItem),
    ...(first !== undefined && ownsDatabase
      ? [
          item(
            'resetLocalDatabase',
            reset,
            t('The database does not match the files: {0}', troubleSentence(first)),
          ),
        ]
      : []),
    ...others.flatMap(fileItem),
    ...copyItem(health),
    ...missingItem(health, shortfall),
  ];
}

function isDeployNext(health: Health, isDeployed: boolean | undefined): boolean {
  return isDeployed === false || health.kind === 'empty';
}

function fileItem({ kind, script, line, place, sentence }: ScriptTrouble): readonly MenuItem[] {
  if (place === undefined || kind === 'removed') return [];
  const open = item('openScript', `$(go-to-file) ${t('Open {0}', place)}`, sentence);
  return [{ ...open, argument: { script, line } }];
}

function copyItem({ diagnosis }: AnsweredHealth): readonly MenuItem[] {
  if (diagnosis.pending?.copy === undefined) return [];
  return [
    item('controlCopy', `$(debug-pause) ${t('Pause or Slow Copying')}`, t('Pause, resume, slow or give up')),
  ];
}

function missingItem(health: AnsweredHealth, shortfall: Shortfall | undefined): readonly MenuItem[] {
  if (health.kind !== 'incomplete' && (shortfall?.missing.length ?? 0) === 0) return [];
  const what = t('Shows in the file which tables and columns the source does not have.');
  return [item('validateOnService', `$(warning) ${t('Validate on Service')}`, what)];
}

function usualOf({ local, ownsDatabase, isDeployed, health }: MenuSituation): readonly MenuItem[] {
  return [
    ...(isDeployNext(health, isDeployed)
      ? []
      : [item('deploy', `$(cloud-upload) ${t('Deploy Sync Config')}`)]),
    item('compareWithDeployed', `$(git-compare) ${t('Compare with Deployed')}`),
    item('explainRow', `$(search) ${t('Explain Row')}`),
    item('previewAsUser', `$(eye) ${t('Preview as User')}`),
    ...(local === undefined ? [] : localOf(ownsDatabase)),
  ];
}

function localOf(ownsDatabase: boolean): readonly MenuItem[] {
  return [
    item('createClientToken', `$(key) ${t('Create Client Token')}`),
    ...(ownsDatabase ? [item('copyPsqlCommand', `$(terminal) ${t('Copy psql Command')}`)] : []),
    item('restartLocalService', `$(debug-restart) ${t('Restart Local Service')}`),
    item('stopLocalService', `$(debug-stop) ${t('Stop Local Service')}`),
  ];
}

function general(): readonly MenuItem[] {
  return [
    item('openConsole', `$(type-hierarchy) ${t('Open Console')}`),
    item('selectTarget', `$(server) ${t('Select Target')}`),
    item('checkHealth', `$(pulse) ${t('Check Health')}`),
    item('showLog', `$(output) ${t('Show Log')}`),
    {
      label: `$(list-unordered) ${t('All Commands')}`,
      command: 'workbench.action.quickOpen',
      argument: '>Headwater: ',
    },
  ];
}

function item(command: string, label: string, detail?: string): MenuItem {
  return { command: `headwater.${command}`, label, ...(detail !== undefined && { detail }) };
}
