/** The common code of the rigs: finds the tools, or skips the tests with a clear message, and prints a last line with counts. */
import { globSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import { format, nothing, type Tally } from '../run/tally.ts';
import { install, type Ready, type Release } from './install.ts';

/** The folder for screenshots and logs, which help after a failure. It is not committed. */
export const artifacts = join(root, 'artifacts');

/**
 * Runs one rig as a program. An exception counts as a failure. It ends with `process.exit`, which ends everything that was started.
 * See `process.ts`.
 *
 * @param release the VS Code to test in; absent: the newest
 */
export async function runRig(
  name: string,
  test: (tools: Ready) => Promise<Tally>,
  release?: Release,
): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  for (const old of globSync(`${name}*.{png,log}`, { cwd: artifacts })) rmSync(join(artifacts, old));
  const tools = await install(release);
  if (tools.kind === 'missing') {
    console.log(`SKIPPED ${name}: ${tools.what}. ${tools.fix}`);
    console.log(format({ ...nothing, skipped: 1 }));
    return;
  }
  for (const note of tools.notes) console.log(note);
  const tally = await test(tools).catch((error: unknown) => {
    console.log(error instanceof Error ? error.stack : error);
    return { ...nothing, failed: 1 };
  });
  console.log(format(tally));
  process.exit(tally.failed > 0 || tally.passed === 0 ? 1 : 0);
}
