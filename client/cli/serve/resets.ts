/** Runs the service until Ctrl-C, and starts it again with the current service config at each request of `headwater reset`. */
import type { Answer } from '../command.ts';
import { readServiceConfig } from '../projectFiles.ts';
import type { ResetReply, World } from '../world.ts';
import type { ServeCall, StartedService } from './serviceProgram.ts';

export interface Session extends StartedService {
  /** Resolves when the service is fully ready; with undefined if it ended before. */
  readonly ready: Promise<ResetReply | undefined>;
}

/** `begin` receives the port of the previous session, unless the config chooses the port. */
export async function runWithResets(
  call: ServeCall,
  begin: (port?: number) => Promise<Session>,
): Promise<Answer> {
  const { resets, signal } = call.world;
  let session = await begin();
  void replyOf(session, call.world);
  let asking: ((reply: ResetReply) => void)[] = [];
  const stopAnswering = await resets.answer(
    () =>
      new Promise((resolve) => {
        asking.push(resolve);
        session.stop();
      }),
  );
  try {
    for (;;) {
      const code = await session.ended;
      if (asking.length === 0 || signal.aborted) return { code };
      session = await begin(await samePort(call, (await session.addresses)?.url));
      // The reply also goes to callers that have asked in the meantime.
      const told = asking;
      asking = [];
      void replyOf(session, call.world).then((reply) => {
        for (const tell of told) tell(reply);
      });
    }
  } finally {
    stopAnswering();
  }
}

/** Returns the reply of a session. A failure is reported, and does not end the session. */
async function replyOf({ ready }: Session, { complain }: World): Promise<ResetReply> {
  try {
    return (await ready) ?? {};
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return {};
  }
}

/** Returns the previous port. Undefined if the config chooses the port, because the config may have changed. */
async function samePort(call: ServeCall, url: string | undefined): Promise<number | undefined> {
  return url === undefined || (await configuredPort(call)) !== '0' ? undefined : Number(new URL(url).port);
}

async function configuredPort({ text, world }: ServeCall): Promise<string | undefined> {
  return text('port') ?? (await readServiceConfig(world, text('config')))?.text('/port');
}
