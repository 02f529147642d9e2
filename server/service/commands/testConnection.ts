import { openSource, openStorage } from '../assembly/openParts.ts';
import type { Command } from './command.ts';
import { exitCodes } from './failure.ts';

export const testConnection: Command = {
  name: 'test-connection',
  usage: '',
  summary: 'Open the storage, ask the source, and say what is in the way',
  run: async ({ settings, folder, world, terminal }) => {
    const storage = await openStorage(settings, world);
    terminal.print('The storage can be used.');
    try {
      const source = await openSource(settings, folder, world);
      const { connected, problems } = await source.health();
      terminal.print(`${source.uri} ${connected ? 'answers' : 'does not answer'}.`);
      for (const { level, message } of problems) terminal.print(`${level}: ${message}`);
      await source.close();
      const isFit = connected && problems.every(({ level }) => level !== 'fatal');
      return isFit ? exitCodes.done : exitCodes.failed;
    } finally {
      await storage.close();
    }
  },
};
