/** The command `migrate`: updates the layout of the storage. */
import { openStorage } from '../assembly/openParts.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exitCodes.ts';

export const migrate: Command = {
  name: 'migrate',
  usage: 'up|down',
  summary: 'Update the storage to the layout of this version',
  run: async ({ settings, arguments: { words }, world, terminal }) => {
    if (words[0] === 'down') {
      terminal.complain(
        'The layout of the storage cannot be downgraded. Run teardown, and start the older version.',
      );
      return exitCodes.failed;
    }
    if (words[0] !== 'up') {
      terminal.complain('Write `migrate up`.');
      return exitCodes.usage;
    }
    const storage = await openStorage({ ...settings, migrations: { automatic: true } }, world);
    await storage.close();
    terminal.print('The storage has the layout of this version.');
    return exitCodes.done;
  },
};
