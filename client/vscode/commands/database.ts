/** Resets the database of the local service, and copies its address for other programs. */
import { env, l10n } from 'vscode';
import type { ScriptReport } from '../../api/reports/scripts.ts';
import { troubleSentence, troublesOf } from '../../health/problems.ts';
import type { Services } from '../services.ts';
import { requireUrl } from '../targets/target.ts';
import { chooseButton, complain, say, warn, withProgress } from './telling.ts';

export async function resetLocalDatabase(services: Services): Promise<void> {
  const { local, log, health } = services;
  if (local === undefined) return complainOfFolder(services);
  await withProgress(log, l10n.t('Resetting the local database'), async () => {
    const target = local.target();
    requireUrl(target);
    const api = await services.connect(target, 'quiet');
    if (api === undefined) return;
    const [plain, seeded] = [l10n.t('Reset'), l10n.t('Reset and Seed')];
    const answer = await chooseButton(
      l10n.t('Reset the local database?'),
      l10n.t(
        'All of its rows are lost. It is created again from the current migrations of the project, and clients download everything again. Seeding also runs the files with seed data.',
      ),
      [plain, seeded],
    );
    if (answer === undefined) return;
    tellReset(services, await api.resetDatabase(answer === seeded ? 'seeds' : 'none'));
    await health.askNow();
  });
}

function tellReset({ log }: Services, report: ScriptReport): void {
  const done =
    report.applied === 1
      ? l10n.t('The local database was created again: 1 file was run.')
      : l10n.t('The local database was created again: {0} files were run.', report.applied);
  const troubles = troublesOf(report);
  if (troubles.length === 0) say(log, done);
  else warn(log, [done, ...troubles.map(troubleSentence)].join('\n'));
}

/** Copies the address of the database: with the password if the database is ours, otherwise as the service reports it. */
export async function copyDatabaseAddress(services: Services): Promise<void> {
  const now = services.health.health();
  const uri = 'diagnosis' in now ? now.diagnosis.sources[0]?.uri : undefined;
  if (uri === undefined || databaseUri(services) !== undefined)
    return copyOfDatabase(services, l10n.t('The address of the local database'), (address) => address);
  await env.clipboard.writeText(uri);
  say(services.log, l10n.t('The address of the database was copied to the clipboard, without its password.'));
}

export async function copyPsqlCommand(services: Services): Promise<void> {
  await copyOfDatabase(services, l10n.t('A command that opens psql'), (address) => `psql '${address}'`);
}

async function copyOfDatabase(
  services: Services,
  what: string,
  textFor: (address: string) => string,
): Promise<void> {
  const { local, log } = services;
  if (local === undefined) return complainOfFolder(services);
  const uri = databaseUri(services);
  if (uri === undefined)
    return complain(log, l10n.t('The local service has no embedded database, or it is not running.'));
  await env.clipboard.writeText(textFor(local.databaseAddress(uri)));
  say(log, l10n.t('{0} was copied to the clipboard, with its password.', what));
}

function databaseUri({ health, targets, local }: Services): string | undefined {
  const now = health.health();
  if (targets.selected()?.kind !== 'local' || !local?.ownsDatabase() || !('diagnosis' in now))
    return undefined;
  return now.diagnosis.sources[0]?.uri;
}

function complainOfFolder({ log }: Services): void {
  complain(log, l10n.t('Open a folder first: the local service belongs to one.'));
}
