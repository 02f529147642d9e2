/** Deploys to PowerSync Cloud. The config is reviewed here, and sent by PowerSync's own command line. */
import { joinPath, splitPath } from '../../server/shared/uri.ts';
import { missingProgram, wordsOfComparison } from '../deploying/cloudWords.ts';
import {
  cloudDeployArguments,
  fetchedName,
  officialInstallation,
  officialProgram,
  projectPrograms,
} from '../project/cloud.ts';
import type { Link } from '../project/link.ts';
import { harmless } from './colours.ts';
import type { Answer, Call } from './command.ts';
import { longestComparison } from './deployFacts.ts';
import { type DeployCall, showAccess, showFindings } from './deployFile.ts';
import { accessJson, compareConfigTexts } from './diff/access.ts';
import { CliFailure } from './failure.ts';
import { readSyncText } from './project/syncConfig.ts';
import { schemaLookup } from './schemaLookup.ts';
import type { CheckedFile } from './validate/checkText.ts';

type CloudCall = DeployCall & Pick<Call<'rate' | 'plan' | 'no-wait'>, 'has'>;

/** The options that have no counterpart in PowerSync's command line. */
const unsupported = ['plan', 'rate', 'no-wait'] as const;

export async function deployToCloud(call: CloudCall, own: CheckedFile, link: Link): Promise<Answer> {
  const { world, has, number } = call;
  for (const name of unsupported)
    if (has(name)) throw new CliFailure(`--${name} is not supported with PowerSync Cloud.`);
  if (!has('quiet')) showFindings(own, call);
  const directory = joinPath(...splitPath(link.path).folders) || '.';
  const access = await reviewFetched(call, own, joinPath(directory, fetchedName));
  const env = await agreeOnProgram(call, own, link);
  const args = cloudDeployArguments({ directory, config: own.path, seconds: number('timeout') });
  if (!has('quiet')) world.complain(`Running ${[officialProgram, ...args].join(' ')}`);
  const running = world.startProgram(officialProgram, args, {
    env,
    // Standard output is reserved for the document if `--json` is set.
    ...(has('json') && { onLine: world.complain }),
  });
  world.signal.addEventListener('abort', running.stop);
  const code = await running.ended;
  if (code === 127) throw new CliFailure(missingProgram(officialInstallation));
  return { code, json: { deployed: code === 0, instance: link.instance, ...(access && { access }) } };
}

/** Reports who gains and who loses rows, compared with the config that PowerSync's command line has fetched. */
async function reviewFetched(
  call: CloudCall,
  own: CheckedFile,
  fetched: string,
): Promise<object | undefined> {
  const { world, has } = call;
  const tell = (comparison: Parameters<typeof wordsOfComparison>[1]): void => {
    if (!has('quiet')) world.complain(wordsOfComparison(fetched, comparison));
  };
  if (!world.files.exists(fetched)) {
    tell('none');
    return undefined;
  }
  const before = await readSyncText(fetched, world.files);
  const lookup = await schemaLookup({ ...call, text: () => undefined, texts: () => [] });
  const known = await lookup(own.path, own.text);
  const access = compareConfigTexts(before, own.text, known, longestComparison, world);
  tell(access === undefined ? 'broken' : 'made');
  if (!has('json')) showAccess(access, call);
  return access && accessJson(access);
}

/** Asks at a terminal. Without a terminal, a program of the project is not run, because a stranger may have written the project. */
async function agreeOnProgram(
  { world }: CloudCall,
  own: CheckedFile,
  { instance = 'that the project is linked to' }: Link,
): Promise<Readonly<Record<string, string>>> {
  const { files, env, platform } = world;
  const isInProject = files.exists(`${projectPrograms}/${officialProgram}`);
  const place = isInProject ? ` with ${projectPrograms}/${officialProgram}` : '';
  const answer = await world.confirm(
    harmless(`Deploy ${own.path} to the PowerSync Cloud instance ${instance}${place}?`),
  );
  if (answer === false) throw new CliFailure('Nothing was deployed.', 1);
  if (!isInProject || answer === undefined) return {};
  const separator = platform === 'win32' ? ';' : ':';
  return { PATH: [files.real(projectPrograms), env.PATH ?? ''].join(separator) };
}
