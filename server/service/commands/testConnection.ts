/** The command `test-connection`: checks the connections of the service config. */
import { resolve } from 'node:path';
import { openSource, openStorage } from '../assembly/openParts.ts';
import { tablesReadBy } from '../deployments/configTables.ts';
import { contentOf } from '../deployments/deployAtStart.ts';
import { isFit, type PreflightCheck, type PreflightProblem, wordsOf } from '../replication/preflight.ts';
import type { Source } from '../replication/source.ts';
import type { Storage } from '../storage/storage.ts';
import type { Command, CommandCall } from './command.ts';
import { exitCodes } from './exitCodes.ts';

export const testConnection: Command = {
  name: 'test-connection',
  usage: '[FILE]',
  summary: 'Check that the tables of a sync config can be replicated',
  run: (call) => (call.arguments.own.json === undefined ? printForPeople(call) : printForPrograms(call)),
};

async function printForPeople(call: CommandCall): Promise<number> {
  const { settings, folder, world, terminal } = call;
  const storage = await openStorage(settings, world);
  terminal.print('The storage can be used.');
  try {
    const source = await openSource(settings, folder, world);
    try {
      const checks = await source.preflight(await tablesFor(call, source, storage));
      const [first] = checks;
      terminal.print(`${source.uri} ${isAnswered(first) ? 'answers' : 'does not answer'}.`);
      for (const line of checks.flatMap(linesOf)) terminal.print(line);
      return isFit(checks) ? exitCodes.done : exitCodes.failed;
    } finally {
      await source.close();
    }
  } finally {
    await storage.close();
  }
}

/** Checks only the source. The storage is not opened, because a running service may be using it. */
async function printForPrograms(call: CommandCall): Promise<number> {
  const { settings, folder, world, terminal } = call;
  const source = await openSource(settings, folder, world);
  try {
    const checks = await source.preflight(await tablesFor(call, source));
    terminal.print(JSON.stringify({ source: source.uri, checks }));
    return isFit(checks) ? exitCodes.done : exitCodes.failed;
  } finally {
    await source.close();
  }
}

/** Whether anything except the address could be checked. */
function isAnswered(check: PreflightCheck | undefined): boolean {
  if (check?.state === 'failed') return check.problems.every(({ code }) => code === 'SVC_S1169');
  return check?.state === 'ok';
}

/** Returns the tables of the named file, of the sync config in the service config, or of the deployed config. */
async function tablesFor(
  { settings, arguments: { words }, terminal }: CommandCall,
  source: Source,
  storage?: Storage,
): Promise<ReturnType<typeof tablesReadBy>> {
  const [file] = words;
  try {
    const named =
      file !== undefined
        ? String(terminal.files.readFile(resolve(terminal.folder, file)))
        : settings.syncConfig && (await contentOf(settings.syncConfig));
    const deployed = named === undefined ? (await storage?.deployments.all())?.at(-1)?.content : undefined;
    const content = named ?? deployed;
    if (content !== undefined) return tablesReadBy(content, source.defaultSchema);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'No sync config is named or deployed, so the tables to check are unknown.';
}

function linesOf(check: PreflightCheck): readonly string[] {
  switch (check.state) {
    case 'ok':
      return [`ok ${check.id}: ${check.message}`];
    case 'unchecked':
      return [`not checked ${check.id}: ${check.why}`];
    case 'failed':
      return check.problems.map((problem) => lineOf(check.id, problem));
  }
}

function lineOf(id: PreflightCheck['id'], problem: PreflightProblem): string {
  return `${problem.level} ${id}: [${problem.code}] ${wordsOf(problem)}`;
}
