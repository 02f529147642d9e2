/**
 * Checks everything that can go wrong between the sync config and a device, in that order. If a check fails, the checks that
 * depend on it are unknown, so the user has to repair the first failed one.
 */
import type { Diagnosis } from '../../api/answers.ts';
import type { Api } from '../../api/api.ts';
import { nameAtStart } from '../../api/deployedConfig.ts';
import { isFailure } from '../../api/failure.ts';
import type { SyncResult } from '../../api/synced.ts';
import { t } from '../../l10n.ts';
import { type AnsweredHealth, isFullDisk, judge } from '../health.ts';
import { stateOf } from '../states.ts';
import { wordsFor } from '../words.ts';
import { bad, type CheckResult, doubtful, good, unknown } from './check.ts';
import { checkSource, resultOf, type SourceAccess } from './checkSource.ts';

export interface Patient {
  readonly file: ConfigFile;
  /** The variables of the service config. Absent: they are known only where the service runs. */
  readonly variables?: Variables;
  readonly source: () => Promise<SourceAccess>;
  /** Returns the service. Rejects with a sentence if there is none. */
  readonly service: () => Promise<Pick<Api, 'diagnose' | 'address' | 'clientKeys'>>;
  /**
   * Returns sentences about the parts of the source that the sync config reads but that do not exist. Undefined if they are
   * unknown.
   */
  readonly missing: () => Promise<readonly string[] | undefined>;
  /** Returns a client with a token, or a sentence with the reason why there is no token. */
  readonly client: () => Promise<TestDevice | string>;
  /** The version of Headwater. */
  readonly version: string;
}

export type Variables =
  | { readonly kind: 'checked'; readonly unset: readonly string[] }
  /** The reason is a sentence. */
  | { readonly kind: 'unchecked'; readonly why: string; readonly step?: string };

export interface TestDevice {
  readonly api: Pick<Api, 'syncOnce'>;
  /** Whether the user has named the token, or it was signed for the test. */
  readonly token: 'named' | 'signed';
}

export type ConfigFile =
  | { readonly kind: 'absent'; readonly sentence: string; readonly step: string }
  | {
      readonly kind: 'read';
      readonly path: string;
      readonly text: string;
      readonly tables: readonly string[];
      readonly errors: readonly string[];
      readonly warnings: readonly string[];
    };

type Say = (...checks: readonly CheckResult[]) => void;

export async function checkUp(
  patient: Patient,
  onCheck: (check: CheckResult) => void,
): Promise<readonly CheckResult[]> {
  const checks: CheckResult[] = [];
  const say: Say = (...more) => {
    for (const check of more) {
      checks.push(check);
      onCheck(check);
    }
  };
  const { file } = patient;
  say(...checkFile(file), ...checkVariables(patient));
  const tables = file.kind === 'read' ? file.tables : [];
  say(...(await checkSource(await patient.source(), tables)));
  say(await checkTables(patient));
  const diagnosis = await reachService(patient, say);
  if (diagnosis === undefined) {
    const rest = ['deployed', 'active', 'keys', 'token', 'sync'] as const;
    say(...rest.map((id) => unknown(id, withoutService())));
    return checks;
  }
  say(checkContent(file, diagnosis), checkActive(diagnosis));
  say(await checkKeys(patient));
  say(...(await checkClient(patient, diagnosis)));
  return checks;
}

function checkFile(file: ConfigFile): readonly CheckResult[] {
  if (file.kind === 'absent')
    return [bad('file', file.sentence, file.step), unknown('findings', t('Not checked: there is no file.'))];
  const { path, errors, warnings } = file;
  const found = good('file', t('The sync config is {0}.', path));
  const see = t('See {0}.', `headwater validate ${path}`);
  const [error, advice] = [errors[0], warnings[0]];
  if (error !== undefined) {
    const all = t('{0} errors. The first: {1}', errors.length, error);
    return [found, bad('findings', errors.length === 1 ? error : all, see)];
  }
  if (advice !== undefined) {
    const all = t('{0} warnings. The first: {1}', warnings.length, advice);
    return [found, doubtful('findings', warnings.length === 1 ? advice : all, see)];
  }
  return [found, good('findings', t('No problems found.'))];
}

function checkVariables({ variables }: Patient): readonly CheckResult[] {
  if (variables === undefined) return [];
  if (variables.kind === 'unchecked') return [unknown('variables', variables.why, variables.step)];
  const { unset } = variables;
  if (unset.length === 0) return [good('variables', t('All required variables have values.'))];
  return [
    bad(
      'variables',
      t('These variables have no value: {0}.', unset.join(', ')),
      t('Write them to .env. headwater init generates the secrets of the service.'),
    ),
  ];
}

async function checkTables({ missing, file }: Patient): Promise<CheckResult> {
  if (file.kind === 'absent') return unknown('tables', t('Not checked: there is no file.'));
  const names = await missing();
  if (names === undefined)
    return unknown('tables', t('Not checked: neither the source nor the service lists its tables.'));
  const [first, ...more] = names;
  if (first === undefined && file.errors.length > 0)
    return unknown(
      'tables',
      t('Not checked: the sync config has errors, so not all of its tables are known.'),
    );
  if (first === undefined)
    return good('tables', t('All tables and columns that the sync config reads exist.'));
  return bad(
    'tables',
    more.length === 0 ? first : t('{0} And {1} more.', first, more.length),
    t('Correct the sync config, or create the missing tables and columns in the source.'),
  );
}

/** Returns the answer of the service. Undefined if it does not answer. */
async function reachService({ service, version }: Patient, say: Say): Promise<Diagnosis | undefined> {
  try {
    const api = await service();
    const diagnosis = await api.diagnose({ content: true, clients: true });
    say(good('service', t('The service {0} answers.', api.address.origin)), checkVersion(diagnosis, version));
    return diagnosis;
  } catch (error) {
    say(explainUnreached(error), unknown('version', withoutService()));
    return undefined;
  }
}

function explainUnreached(error: unknown): CheckResult {
  const sentence = error instanceof Error ? error.message : String(error);
  if (isFailure(error, 'unauthorized'))
    return bad(
      'service',
      sentence,
      t('Set PS_ADMIN_TOKEN to one of api.tokens in the config of the service.'),
    );
  if (isFailure(error, 'unreachable'))
    return bad('service', sentence, t('Start the service: headwater dev.'));
  if (isFailure(error)) return bad('service', sentence, t('Look at the log of the service.'));
  return bad('service', sentence, t('Start one: headwater dev. Or name one: --service URL.'));
}

function withoutService(): string {
  return t('Not checked: the service does not answer.');
}

function checkVersion({ service }: Diagnosis, own: string): CheckResult {
  if (service === undefined)
    return good(
      'version',
      t('The service does not report a version, so it is not Headwater or an older version of it.'),
    );
  const { name, version } = service;
  if (version === own)
    return good('version', t('The service is {0} {1}, the same version as this tool.', name, version));
  return doubtful(
    'version',
    t('The service is {0} {1}; this tool is {2}.', name, version, own),
    t('Restart it with the version that is installed here.'),
  );
}

function checkContent(file: ConfigFile, { active, pending }: Diagnosis): CheckResult {
  if (file.kind === 'absent') return unknown('deployed', t('Not checked: there is no file.'));
  const { path, text } = file;
  const deploy = t('Deploy it: headwater deploy {0}.', path);
  if (pending?.content !== undefined && isSame(pending.content, text))
    return good('deployed', t('The config that is being copied is the same as {0}.', path));
  if (active === undefined) return bad('deployed', t('Nothing is deployed.'), deploy);
  if (active.content === undefined)
    return unknown('deployed', t('The service does not report its deployed config.'));
  return isSame(active.content, text)
    ? good('deployed', t('The deployed config is the same as {0}.', path))
    : doubtful('deployed', t('The deployed config differs from {0}.', path), deploy);
}

function isSame(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

/** Checks the active deployment. The verdict and the sentence come from the table of states, which all surfaces show. */
function checkActive(diagnosis: Diagnosis): CheckResult {
  const health = judge(diagnosis);
  const [sentence = ''] = wordsFor({ name: '', health }).explanation;
  // A problem that does not stop replication is in the sentence.
  if (health.kind === 'healthy')
    return good(
      'active',
      t('{0} is active. {1}', diagnosis.active ? nameAtStart(diagnosis.active) : '', sentence),
    );
  const report = stateOf(health).tone === 'busy' ? doubtful : bad;
  return report('active', sentenceAbout(health, sentence), stepAfter(health));
}

function sentenceAbout({ kind }: AnsweredHealth, sentence: string): string {
  if (kind === 'empty') return t('No sync config is active.');
  return kind === 'stalled' ? t('Replication makes no progress. {0}', sentence) : sentence;
}

function stepAfter(health: Exclude<AnsweredHealth, { kind: 'healthy' }>): string {
  const log = t('Look at the log of the service.');
  const steps: Readonly<Record<typeof health.kind, string>> = {
    waiting: t('Wait for the source, or look at the log of the service.'),
    empty: t('Deploy it: headwater deploy.'),
    copying: t('Wait until everything is copied: headwater status.'),
    resuming: t('Wait until the service has caught up: headwater status.'),
    incomplete: t('Correct the sync config, or create the missing tables and columns in the source.'),
    failing: log,
    stalled: log,
  };
  const isFull = health.kind === 'failing' && health.errors.some(isFullDisk);
  return isFull ? t('Free space on that disk.') : steps[health.kind];
}

/** The service itself fetches its key sets, because other machines may not reach them and may not know its config. */
async function checkKeys({ service }: Patient): Promise<CheckResult> {
  try {
    const check = await (await service()).clientKeys();
    return check === undefined
      ? unknown('keys', t('Not checked: this service does not report the keys that verify client tokens.'))
      : resultOf('keys', check);
  } catch (error) {
    return unknown('keys', error instanceof Error ? error.message : String(error));
  }
}

async function checkClient({ client }: Patient, { active }: Diagnosis): Promise<readonly CheckResult[]> {
  const withoutSync = (token: CheckResult): readonly CheckResult[] => [
    token,
    unknown('sync', t('Not checked: there is no token.')),
  ];
  try {
    const device = await client();
    if (typeof device === 'string')
      return withoutSync(
        unknown('token', device, t('Use a token of the app: headwater doctor --token TOKEN.')),
      );
    if (active === undefined)
      return (['token', 'sync'] as const).map((id) => unknown(id, t('Not checked: nothing is active.')));
    const result = await device.api.syncOnce({ parameters: {}, subscriptions: [] });
    return [acceptedToken(device), checkSynced(result)];
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    if (isFailure(error, 'unauthorized'))
      return withoutSync(
        bad('token', sentence, t('Correct client_auth in the service config: the keys, and the audience.')),
      );
    return isFailure(error)
      ? [unknown('token', t('Unknown: the sync failed.')), noCheckpoint(sentence)]
      : withoutSync(bad('token', sentence, t('Correct client_auth in the service config.')));
  }
}

function acceptedToken({ token }: TestDevice): CheckResult {
  return good(
    'token',
    token === 'named'
      ? t('The token is accepted.')
      : t('A token that was signed for this test is accepted. To check a token of the app, use --token.'),
  );
}

function checkSynced({ opId, buckets, isWhole }: SyncResult): CheckResult {
  if (isWhole)
    return good('sync', t('A test device synced. Checkpoint: {0}, buckets: {1}.', opId, buckets.length));
  return opId === '0'
    ? noCheckpoint(t('The stream ended before a checkpoint.'))
    : unknown(
        'sync',
        t('A test device received a part of its rows, because there are too many for this test.'),
      );
}

function noCheckpoint(sentence: string): CheckResult {
  return bad('sync', sentence, t('Look at the log of the service.'));
}
