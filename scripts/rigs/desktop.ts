/**
 * `npm run test:desktop [-- VERSION]`: runs the suite of `test/integration` in a desktop VS Code, by default the newest version. It
 * is downloaded once and needs a screen.
 */
import { join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { buildAll } from '../build.ts';
import { root } from '../root.ts';
import { bundleSuite, suite } from './bundleSuite.ts';
import { cacheRoot } from './cache.ts';
import { temporaryFolder } from './temporary.ts';

process.exitCode = await testDesktop(process.argv[2] ?? 'stable');

async function testDesktop(version: string): Promise<number> {
  const vscodeExecutablePath = await download(version);
  if (vscodeExecutablePath === undefined || (await buildAll()) > 0) return 1;
  await bundleSuite();
  // The promise rejects if a test fails. The suite itself has already reported which one.
  return runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: root,
    extensionTestsPath: suite,
    launchArgs: [
      temporaryFolder('workspace'),
      ...['--user-data-dir', temporaryFolder('profile')],
      ...['--disable-extensions', '--disable-workspace-trust'],
    ],
  }).catch(() => 1);
}

async function download(version: string): Promise<string | undefined> {
  try {
    return await downloadAndUnzipVSCode({ version, cachePath: join(cacheRoot(), 'desktop') });
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    console.error(
      `VS Code ${version} cannot be downloaded (${reason}): check the network, or use \`npm test\`.`,
    );
    return undefined;
  }
}
