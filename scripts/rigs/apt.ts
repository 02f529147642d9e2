/** Installs packages of Debian and its relatives, where that needs no question: as root. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './process.ts';

/** Another package manager may be at work for minutes after a machine has started. */
const lockPatienceMs = 600_000;
const betweenTriesMs = 3_000;

/** Returns why the packages could not be installed; nothing if they were, or if this is not such a machine. */
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
  // `DPkg::Lock::Timeout` waits for the lock of dpkg, but `update` takes another one and fails at once.
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
