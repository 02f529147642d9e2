/** Runs the service, and deploys each saved config: one deployment after the other, ending with the latest text. */
import { nameAtStart, namesOf } from '../../api/deployedConfig.ts';
import { deployOnce } from '../../deploying/once.ts';
import { portsToTry } from '../../project/freePort.ts';
import type { ProjectFile } from '../../project/projectFile.ts';
import { adminTokenOf, embeddedDatabaseOf, ownSyncConfig, portOf } from '../../project/serviceConfig.ts';
import { userNameIn } from '../../project/userName.ts';
import type { Answer, Call } from '../command.ts';
import { explainConfigured } from '../deployment.ts';
import { CliFailure } from '../failure.ts';
import { sourceOf } from '../project/missing.ts';
import { recordEnd, recordRunning, recordStart, type Secrets } from '../project/running.ts';
import { readSyncText } from '../project/syncConfig.ts';
import { readServiceConfig } from '../projectFiles.ts';
import { readText } from '../read.ts';
import { checkText, count, placedInFile } from '../validate/checkText.ts';
import { textLines } from '../validate/text.ts';
import { followUntilSettled, inTurns, sayFailure, tell, type Work } from './following.ts';
import type { LogScreen } from './logScreen.ts';
import { runWithResets, type Session } from './resets.ts';
import { type ServeCall, type Start, startService } from './serviceProgram.ts';

/** The time to wait after a change, in milliseconds, because editors write a file in several steps. */
const settle = 100;

export type DevelopCall = ServeCall & Pick<Call, 'progress'>;

export interface Development {
  /** The path of the sync config. */
  readonly file: string;
  /** The settings that differ from the defaults of the service. */
  readonly start: Start;
  readonly token: string;
  /** The secrets of a service that is only for this machine. */
  readonly secrets?: Secrets;
  /** Advice for missing tables. */
  readonly remedy: string;
}

/**
 * @param prepare called at the start, and again for each reset
 * @param screen receives the log of the service; absent: the log goes to standard error
 */
export function develop(
  call: DevelopCall,
  prepare: () => Promise<Development>,
  screen?: LogScreen,
): Promise<Answer> {
  return runWithResets(call, async (port) => {
    const development = await prepare();
    const { start } = development;
    return begin(call, { ...development, start: { ...start, port: port ?? start.port, screen } });
  });
}

async function begin(
  call: DevelopCall,
  { file, start, token, secrets, remedy }: Development,
): Promise<Session> {
  const { world } = call;
  // Read the config first, because a wrong name should not start a service.
  await readSyncText(file, world.files);
  const service = await startService(call, start);
  const isStarting = recordStart(world).catch(() => false);
  const over = new AbortController();
  void service.ended.then(() => over.abort());
  const recorded = service.addresses.then(async (addresses) => {
    if (addresses === undefined) return false;
    await isStarting;
    // The service keeps running even if other commands cannot find it.
    return recordRunning({ ...addresses, file, ...(secrets && { secrets }) }, world).then(
      () => true,
      () => false,
    );
  });
  const ready = service.addresses.then(async (addresses) => {
    if (addresses === undefined) return undefined;
    const { url } = addresses;
    await recorded;
    const api = await world.openApi({ url, token, tokenOrigin: 'the service config' });
    const work: Work = { api, file, call, over: over.signal, remedy };
    await sayConsole(work);
    const turns = inTurns(() => deploySaved(work).catch((error) => sayFailure(work, error)));
    const stopWatching = world.files.watch(file, () => void turns.ask());
    void service.ended.then(() => {
      stopWatching();
      return api.close();
    });
    await turns.ask();
    return { url, token };
  });
  const ended = service.ended.then(async (code) => {
    // A record that was not made here belongs to another service, which is running.
    if ((await recorded) || (await isStarting)) await recordEnd(world).catch(() => undefined);
    return code;
  });
  return { ...service, ended, ready };
}

/** Runs the service config unchanged, but on another port if the port is in use, for example by a second project. */
export async function developAsConfigured(
  call: ServeCall,
  file: string,
  remedy: string,
): Promise<Development> {
  const { text, world } = call;
  const config = await readServiceConfig(world, text('config'));
  if (config === undefined) throw new CliFailure('No service config found here. Use headwater dev.');
  const { path } = config;
  const key = ownSyncConfig(config);
  if (key !== undefined)
    throw new CliFailure(
      `${path} loads the sync config from \`${key}\`, so nothing can be deployed. Remove \`${key}\`, or use headwater serve.`,
    );
  const token = adminTokenOf(config);
  if (token === undefined)
    throw new CliFailure(`${path} needs a token under api.tokens, so that the sync config can be deployed.`);
  return { file, start: await freePorts(config, call), token: token.text, remedy };
}

async function freePorts(config: ProjectFile, call: ServeCall): Promise<Start> {
  const { text } = call;
  const port = text('port') === undefined ? await freePort(portOf(config), call) : undefined;
  const written = Number(embeddedDatabaseOf(config)?.port);
  const databasePort = text('database-port') === undefined ? await freePort(written, call) : undefined;
  return { port, databasePort };
}

/** Returns a free port. Undefined if the config allows any port. */
async function freePort(usual: number | undefined, { world, has }: ServeCall): Promise<number | undefined> {
  if (!usual) return undefined;
  const port = await world.firstFreePort(portsToTry([], usual));
  if (port !== usual && !has('quiet'))
    world.complain(`Port ${usual} is in use, so this run uses ${port || 'another one'}.`);
  return port;
}

/** Prints a link to the console. It signs in once; another one can be requested. */
async function sayConsole({ api, call, over }: Pick<Work, 'api' | 'call' | 'over'>): Promise<void> {
  const link = await api.consoleLink(over).catch(() => undefined);
  if (link !== undefined) tell(call, [`Its console is ${call.paint.bold(link)}. This link signs in once.`]);
}

async function deploySaved(work: Work): Promise<void> {
  const { api, file, call, over } = work;
  const { world, paint } = call;
  await world.pause(settle);
  const text = await readSyncText(file, world.files);
  const before = await api.diagnose({ content: true }, over);
  const latest = before.pending ?? before.active;
  // One save may cause two events.
  const isTold = text === work.told;
  if (latest?.content === text) {
    if (isTold) return;
    work.told = text;
    void followUntilSettled(namesOf(latest), text, work).catch((error) => sayFailure(work, error));
    return;
  }
  const source = await sourceOf(api, world, over);
  const checked = checkText(file, text, source, world);
  const placed = placedInFile(checked, { fileText: await readText(file, world.files), known: source }, world);
  const isRefused = checked.kind !== 'sync' || count([checked], 'error') > 0;
  if (isRefused && isTold) return;
  if (checked.kind !== 'sync') {
    work.told = text;
    tell(call, [
      `${file} has neither \`streams\` nor \`bucket_definitions\`. It is not a sync config, so it was not deployed.`,
    ]);
    return;
  }
  if (isRefused) {
    work.told = text;
    tell(call, [
      ...textLines([placed], paint, true),
      `${file} has errors, so it was not deployed.${before.active ? ` ${nameAtStart(before.active)} stays active.` : ''}`,
    ]);
    return;
  }
  // Missing tables are reported when the config is active, together with the remedy.
  const warnings = placed.diagnostics.filter(
    ({ severity, code }) => severity === 'warning' && code !== 'unknown-table' && code !== 'unknown-column',
  );
  tell(call, textLines([{ ...placed, diagnostics: warnings }], paint, true));
  const { pause, userEnv } = world;
  const sent = await deployOnce(api, text, before, { pause, user: userNameIn(userEnv) }).catch(
    (error: unknown) => {
      throw explainConfigured(error);
    },
  );
  work.told = text;
  // A file that is saved in the meantime replaces this deployment, so nothing waits for it.
  void followUntilSettled(sent, text, work).catch((error) => sayFailure(work, error));
}
