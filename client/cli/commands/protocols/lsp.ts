import { command } from '../../command.ts';

export const lsp = command({
  name: 'lsp',
  summary: 'Run the language server, for any editor',
  about: 'Runs the language server: the language server protocol on standard input and output.',
  options: { stdio: { summary: 'Use standard input and output, the only transport' } },
  examples: ['lsp --stdio'],
  run: async ({ world: { startProgram, signal } }) => {
    const server = startProgram('server', ['--stdio']);
    signal.addEventListener('abort', server.stop);
    return { code: await server.ended };
  },
});
