/** The figures of a former engine: by our own bench, in a process that imports its sources. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Figure } from '../figure.ts';
import type { Checkout } from './checkout.ts';

export async function formerEngine({ folder }: Checkout): Promise<Figure[]> {
  const child = fork(new URL('./engineProcess.ts', import.meta.url), {
    execArgv: [
      '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
      `--import=${new URL('./formerSources.mjs', import.meta.url)}`,
    ],
    env: { ...process.env, HEADWATER_FORMER_SOURCES: folder },
  });
  const figures = once(child, 'message').then(([message]) => message as Figure[]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The bench of the former engine ended with ${code}`);
  });
  return Promise.race([figures, ended]);
}
