import { command } from '../command.ts';
import { findSyncConfig } from '../read.ts';
import { develop } from '../serve/develop.ts';
import { serveOptions } from './serve.ts';

export const dev = command({
  name: 'dev',
  summary: 'Run the sync service, and deploy the sync config whenever it is saved',
  about: `Runs the sync service until Ctrl-C, deploys the sync config, and deploys it again whenever it is saved and has no
error. What served before goes on serving until then. Short for serve --watch FILE.`,
  words: { names: '[FILE]', least: 0, most: 1 },
  options: serveOptions,
  examples: ['dev', 'dev sync.yaml --port 9000'],
  run: async (call) => develop(call, findSyncConfig(call.words[0], call.world.files)),
});
