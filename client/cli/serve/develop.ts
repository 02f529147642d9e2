/** The service runs, and what is saved is deployed: one deployment after the other, the latest text at last. */
import type { Api } from '../../api/api.ts';
import { deployOnce } from '../../deploying/once.ts';
import { adminTokenOf, ownSyncConfig } from '../../project/serviceConfig.ts';
import type { Answer, Call } from '../command.ts';
import { answerOf, explainConfigured, untilActive, usualTimeout } from '../deployment.ts';
import { CliFailure } from '../failure.ts';
import { readServiceConfig } from '../projectFiles.ts';
import { readText } from '../read.ts';
import { checkText, count } from '../validate/check.ts';
import { textLines } from '../validate/text.ts';
import { runWithResets, type Session } from './resets.ts';
import { type ServeCall, startService } from './service.ts';

/** Bytes. */
const tokenLength = 32;
/** Milliseconds: editors write a file in several steps. */
const settle = 100;

export function develop(call: DevelopCall, file: string): Promise<Answer> {
  return runWithResets(call, (port) => begin(call, file, port));
}

type DevelopCall = ServeCall & Pick<Call, 'progress'>;

async function begin(call: DevelopCall, file: string, port: string | undefined): Promise<Session> {
  const { world } = call;
  // Before the service: a name that is wrong is no reason to start one.
  await readText(file, world.files);
  const token = (await tokenOf(call)) ?? world.secret(tokenLength);
  const service = startService(call, { fallback: { api: { tokens: [token] } }, port });
  const over = new AbortController();
  void service.ended.then(() => over.abort());
  const ready = service.url.then(async (url) => {
    if (url === undefined) return undefined;
    const api = await world.openApi({ url, token, tokenOrigin: 'the service config' });
    const work: Work = { api, file, call, over: over.signal };
    const turns = inTurns(() => deploySaved(work).catch((error) => complain(work, error)));
    const stopWatching = world.files.watch(file, () => void turns.ask());
    void service.ended.then(() => {
      stopWatching();
      return api.close();
    });
    await turns.ask();
    return { url, token };
  });
  return { ...service, ready };
}

/** Undefined if there is no service config, so that we may choose. */
async function tokenOf({ text, world }: ServeCall): Promise<string | undefined> {
  const config = await readServiceConfig(world, text('config'));
  if (config === undefined) return undefined;
  const { path } = config;
  const key = ownSyncConfig(config);
  if (key !== undefined)
    throw new CliFailure(
      `${path} takes the sync config from \`${key}\`, so nothing can be deployed. Remove it there, or use headwater serve.`,
    );
  const token = adminTokenOf(config);
  if (token === undefined)
    throw new CliFailure(`${path} needs a token under api.tokens, so that the sync config can be deployed.`);
  return token.text;
}

/** What is asked while something is done is done once afterwards. Resolves when nothing is left. */
function inTurns(work: () => Promise<void>): { readonly ask: () => Promise<void> } {
  let busy: Promise<void> | undefined;
  let isAsked = false;
  async function go(): Promise<void> {
    while (isAsked) {
      isAsked = false;
      await work();
    }
    busy = undefined;
  }
  return {
    ask: () => {
      isAsked = true;
      busy ??= go();
      return busy;
    },
  };
}

interface Work {
  readonly api: Api;
  readonly file: string;
  readonly call: DevelopCall;
  /** The service has ended. */
  readonly over: AbortSignal;
  /** The text whose errors were told: one save may be heard of twice. */
  refused?: string;
}

async function deploySaved(work: Work): Promise<void> {
  const { api, file, call, over } = work;
  const { world, paint } = call;
  await world.pause(settle);
  const text = await readText(file, world.files);
  const before = await api.diagnose({ content: true }, over);
  if ((before.pending ?? before.active)?.content === text) return;
  const checked = checkText(file, text, undefined, world);
  if (checked.kind !== 'sync' || count([checked], 'error') > 0) {
    if (text === work.refused) return;
    work.refused = text;
    tell(call, [...textLines([checked], paint, true), `${file} has errors, so it is not deployed.`]);
    return;
  }
  delete work.refused;
  const slot = await deployOnce(api, text, before, world).catch((error: unknown) => {
    throw explainConfigured(error);
  });
  // What is saved meanwhile takes its place, so nothing waits for it.
  void follow(slot, work).catch((error) => complain(work, error));
}

async function follow(slot: string, { api, call, over }: Work): Promise<void> {
  const { world, progress } = call;
  const outcome = await untilActive(api, slot, { world, progress, timeout: usualTimeout, over });
  progress.end();
  tell(call, answerOf(outcome, usualTimeout).lines ?? []);
}

/** With `--json`, nothing but the line of the service is on standard output. */
function tell({ world, has }: ServeCall, lines: readonly string[]): void {
  for (const line of lines) (has('json') ? world.complain : world.print)(line);
}

function complain({ call: { world }, over }: Work, error: unknown): void {
  if (!world.signal.aborted && !over.aborted)
    world.complain(error instanceof Error ? error.message : String(error));
}
