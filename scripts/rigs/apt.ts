/** Installs packages on Debian and its relatives, if no confirmation is necessary because the user is root. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './process.ts';

/** The time to wait for locks, because another package manager may run for minutes after the start of a machine. */
const lockPatienceMs = 600_000;
const betweenTriesMs = 3_000;

/** Returns why the packages could not be installed; undefined if they were installed, or if this machine does not use apt. */
export async function installWithApt(
  packages: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  return (await apt(['update'], env)) ?? (await apt(install, env));
}

async function apt(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' }, timeoutMs: 300_000 };
  // `DPkg::Lock::Timeout` waits for the lock of dpkg, but `update` takes another lock and fails immediately.
  for (let waited = 0; ; waited += betweenTriesMs) {
    const { code, output, timedOut } = await run(
      'apt-get',
      ['-o', 'DPkg::Lock::Timeout=600', ...args],
      options,
    );
    if (code === 0) return undefined;
    if (timedOut) return `apt-get ${args[0]} did not end`;
    if (!isLocked(output) || waited >= lockPatienceMs)
      return `apt-get ${args[0]}: ${output.trim().split('\n').at(-1)}`;
    await sleep(betweenTriesMs);
  }
}

/** Whether apt gave up because another process holds one of its locks. */
export function isLocked(output: string): boolean {
  return /Could not get lock|Unable to lock|Unable to acquire the dpkg frontend lock/.test(output);
}
