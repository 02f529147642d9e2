/**
 * One session in which a user of a screen reader runs every command, answers its questions, and gets its final result. The order is
 * that of the session, so that a command finds the service or the deployed config that it needs.
 */
import { join } from 'node:path';
import { root } from '../../../scripts/root.ts';
import { foreignToken } from '../processes/foreignService.ts';

/** The answer to one question of a command. */
export type Answer =
  | { readonly kind: 'choose'; readonly label: string }
  /** Absent text: the box is accepted as it is. */
  | { readonly kind: 'type'; readonly title: string; readonly text?: string }
  | { readonly kind: 'dialog'; readonly button: string }
  | { readonly kind: 'page'; readonly button: string };

/** The final result of a command, as a screen reader gets it. */
export type Result =
  | { readonly kind: 'announced'; readonly text: RegExp }
  /** An editor opens, and has the focus. The text is that of its tab. */
  | { readonly kind: 'opened'; readonly text: RegExp }
  /** The panel opens, because the user asked for something that is in the panel. */
  | { readonly kind: 'panel'; readonly because: string };

export interface Visit {
  readonly command: string;
  readonly answers: readonly Answer[];
  readonly result: Result;
}

/** Commands whose final result no rig can reach, with the reason. */
export const unreachable: Readonly<Record<string, string>> = {};

/** The name of a second service, which wants a token. */
export const elsewhere = 'elsewhere';

/** Arguments that a view or a lens gives to its command. */
export const given: Readonly<Record<string, unknown>> = {
  'headwater.openScript': { script: 'schema.sql', line: 1 },
  'headwater.showReferences': referencesIn(`file://${join(root, 'examples/todo/sync.yaml')}`),
};

const choose = (label: string): Answer => ({ kind: 'choose', label });
const dialog = (button: string): Answer => ({ kind: 'dialog', button });
const type = (title: string, text?: string): Answer => ({
  kind: 'type',
  title,
  ...(text !== undefined && { text }),
});
const deployOnPage: Answer = { kind: 'page', button: 'Deploy' };
const announced = (text: RegExp): Result => ({ kind: 'announced', text });
const opened = (text: RegExp): Result => ({ kind: 'opened', text });
const visit = (command: string, result: Result, ...answers: readonly Answer[]): Visit => ({
  command: `headwater.${command}`,
  answers,
  result,
});

const log: Result = { kind: 'panel', because: 'The log is an output, and outputs are in the panel.' };

/** The part with the embedded database. */
const alone: readonly Visit[] = [
  visit('restartLanguageServer', announced(/The language server is running again/)),
  visit('openDocumentation', opened(/VSCODE\.md/)),
  visit('runTests', announced(/Access tests that passed: 6 of 6/)),
  visit('quietYamlExtension', announced(/only Headwater checks this file/)),
  visit('showLog', log),
  visit('selectTarget', announced(/elsewhere is selected/), choose(elsewhere)),
  visit(
    'giveToken',
    announced(/The new token for elsewhere is used/),
    type(`Token for ${elsewhere}`, foreignToken),
  ),
  visit('selectTarget', announced(/local is selected/), choose('local')),
  visit(
    'startLocalService',
    announced(/The local service is running at/),
    choose('With an embedded database'),
  ),
  visit('deploy', announced(/Deployed to local: 2 streams replicating/), deployOnPage),
  visit('validateOnService', announced(/local found no problems/)),
  visit('compareWithDeployed', opened(/local \(config 1, active\) ↔ sync\.yaml/)),
  visit('showDeployedConfig', opened(/local · config 1 · sync\.yaml/)),
  visit('checkHealth', announced(/local: .*checks/)),
  visit('openConsole', opened(/Headwater Console/)),
  visit('explainMissingRows', opened(/Headwater Console/)),
  visit(
    'createClientToken',
    announced(/A token for ada was copied to the clipboard/),
    type('Create Client Token', 'ada'),
  ),
  visit('generateClientSchema', opened(/Untitled-1/), choose('TypeScript')),
  visit(
    'explainRow',
    opened(/lists/),
    choose('lists'),
    type('Explain Row: Row', '{"id": "1", "owner_id": "ada", "name": "Groceries"}'),
  ),
  visit(
    'previewAsUser',
    opened(/ada/),
    type('Preview as User: Who', 'ada'),
    type('Preview as User: Subscriptions'),
  ),
  visit('refreshSchema', announced(/2 tables known from local/)),
  visit('copyDatabaseAddress', announced(/The address of the local database was copied/)),
  visit('copyPsqlCommand', announced(/A command that opens psql was copied/)),
  visit('copyServiceAddress', announced(/The address of local was copied/)),
  visit('showMenu', announced(/A command that opens psql was copied/), choose('Copy psql Command')),
  visit('openScript', opened(/schema\.sql/)),
  visit('showReferences', announced(/symbol/)),
  visit('reprocess', announced(/local copies all tables of config \d+ again/), dialog('Reprocess')),
  visit(
    'reprocessStream',
    announced(/local copies todos of config \d+ again/),
    choose('todos'),
    dialog('Reprocess'),
  ),
  visit('resetLocalDatabase', announced(/The local database was created again/), dialog('Reset')),
  visit('restartLocalService', announced(/The local service is running at/)),
  visit('showServiceLog', log),
  visit('stopLocalService', announced(/The local service is stopped/)),
  visit(
    'createSyncConfig',
    announced(/sync-config\.yaml is written/),
    choose('Create Another'),
    type('Create Sync Config: Tables'),
  ),
];

/** The part with a PostgreSQL in which a transaction keeps copies from beginning. */
const held: readonly [Visit, ...Visit[]] = [
  visit(
    'startLocalService',
    announced(/The local service is running at/),
    choose('With the database in service.yaml'),
  ),
  visit('controlCopy', announced(/local has paused the copy/), choose('Pause')),
  visit('controlCopy', announced(/local has given up the copy/), choose('Give Up'), dialog('Give Up')),
];

export const session = { alone, held };

/** Two places in the first stream of the example. */
function referencesIn(uri: string): object {
  const place = (line: number) => ({
    uri,
    range: { start: { line, character: 2 }, end: { line, character: 7 } },
  });
  return { uri, position: { line: 5, character: 2 }, places: [place(5), place(10)] };
}
