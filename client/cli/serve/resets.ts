/** What runs until Ctrl-C, and anew whenever `headwater reset` asks for it: with what the service config says then. */
import type { Answer, ExitCode } from '../command.ts';
import { readServiceConfig } from '../serviceConfig.ts';
import type { ResetReply } from '../world.ts';
import type { ServeCall } from './service.ts';

export interface Session {
  /** Where it answers, when it does its work; undefined if it ended before. */
  readonly ready: Promise<ResetReply | undefined>;
  readonly ended: Promise<ExitCode>;
  readonly stop: () => void;
}

/** `begin` gets the port to take if any is right, which is that of the session before. */
export async function runWithResets(
  call: ServeCall,
  begin: (port?: string) => Promise<Session>,
): Promise<Answer> {
  const { resets, signal } = call.world;
  let session = await begin();
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
      const [code, reply] = await Promise.all([session.ended, session.ready]);
      if (asking.length === 0 || signal.aborted) return { code };
      session = await begin(await samePort(call, reply));
      // With those who have asked meanwhile.
      const told = asking;
      asking = [];
      void session.ready.then((again = {}) => {
        for (const tell of told) tell(again);
      });
    }
  } finally {
    stopAnswering();
  }
}

/** Undefined if the port is chosen by the config, which may have changed. */
async function samePort(call: ServeCall, reply: ResetReply | undefined): Promise<string | undefined> {
  if (reply?.url === undefined || (await configuredPort(call)) !== '0') return undefined;
  return new URL(reply.url).port;
}

async function configuredPort({ text, world }: ServeCall): Promise<string | undefined> {
  return text('port') ?? (await readServiceConfig(world, text('config')))?.values.text('/port');
}
