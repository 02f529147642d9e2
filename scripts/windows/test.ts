/**
 * Tests the product on Windows: on this machine, or in Wine with Node for Windows. A machine with neither skips the tests, and
 * reports that in a line that starts with `SKIPPED`. The tests use the last build.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';
import { sendProgress } from '../run/progress.ts';
import { format } from '../run/tally.ts';
import { runVitest } from '../run/vitest.ts';
import { installWine } from './wine.ts';

if (!existsSync(join(root, 'dist/cli.js'))) {
  console.error('Nothing is built yet: run npm run build.');
  process.exit(1);
}
const windows = process.platform === 'win32' ? undefined : await installWine();
if (windows?.kind === 'missing') {
  console.log(`SKIPPED: the tests of Windows. ${windows.what}. ${windows.fix}`);
  console.log(format({ passed: 0, failed: 0, skipped: 1 }));
} else {
  const { output, tally } = await runVitest(
    'windows',
    { config: 'vitest.windows.config.mts' },
    (_, progress) => sendProgress(progress),
  );
  // A parent process has already received the failures.
  if (tally.failed > 0 && !process.connected) console.log(output);
  console.log(format(tally));
  process.exitCode = tally.failed > 0 ? 1 : 0;
}
