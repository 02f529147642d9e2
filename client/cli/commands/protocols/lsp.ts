import { command } from '../../command.ts';

export const lsp = command({
  name: 'lsp',
  summary: 'Run the language server, for any editor',
  about: 'Runs the language server. It speaks the language server protocol on standard input and output.',
  options: { stdio: { summary: 'On standard input and output; there is no other way' } },
  examples: ['lsp --stdio'],
  run: async ({ world: { startProgram, signal } }) => {
    const server = startProgram('server', ['--stdio']);
    signal.addEventListener('abort', server.stop);
    return { code: await server.ended };
  },
});
