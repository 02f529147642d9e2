/** Runs a command again whenever a file is saved, until Ctrl-C. */
import type { Answer } from '../command.ts';
import { isCliFailure } from '../failure.ts';
import type { World } from '../world.ts';

interface Round {
  /** Returns the existing files that the command depends on. */
  readonly files: () => Promise<readonly string[]>;
  readonly run: () => Promise<Answer>;
}

/** The time to wait after a change, in milliseconds, because an editor may write a file in several steps. */
const settle = 50;

export async function runAtEachSave({ files, run }: Round, world: World): Promise<never> {
  for (;;) {
    const watched = new Set(await files());
    const changed = changeOf(
      [...watched].filter((path) => world.files.exists(path)),
      world,
    );
    const { lines = [] } = await run().catch(unreadable);
    for (const line of lines) world.print(line);
    await changed;
    await world.pause(settle);
  }
}

/** Reports a file that cannot be read. It may be half written, so the command runs again at the next change. */
function unreadable(error: unknown): Pick<Answer, 'lines'> {
  if (isCliFailure(error)) return { lines: [error.message] };
  throw error;
}

/** Resolves at the first change. Rejects when the signal is aborted. */
function changeOf(paths: readonly string[], { files, signal }: World): Promise<void> {
  return new Promise((resolve, reject) => {
    const stops = paths.map((path) => files.watch(path, () => end(resolve)));
    const onAbort = (): void => end(() => reject(signal.reason));
    function end(settled: () => void): void {
      for (const stop of stops) stop();
      signal.removeEventListener('abort', onAbort);
      settled();
    }
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort);
  });
}
