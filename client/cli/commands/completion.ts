import { command } from '../command.ts';
import { commonOptions } from '../options.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completion = command({
  name: 'completion',
  summary: 'Print a script that completes commands and options in a shell',
  about: `Prints a completion script for a shell. It completes commands, options and the values of options.`,
  words: {
    names: shells.join('|'),
    choices: shells,
    least: 1,
    most: 1,
    missing: 'Specify a shell: headwater completion bash, zsh, fish or powershell.',
  },
  options: {},
  examples: [
    'completion bash >> ~/.bashrc',
    'completion fish > ~/.config/fish/completions/headwater.fish',
    'completion powershell >> $PROFILE',
  ],
  run: async ({ words: [shell = ''], commands }) => {
    const { scripts } = await import('../onDemand.ts');
    const whole = commands.map((each) => ({ ...each, options: { ...each.options, ...commonOptions } }));
    const script = scripts(shell, whole);
    return { code: 0, json: { shell, script: script.join('\n') }, lines: script };
  },
});
