/**
 * Reads the steps that a page asks its reader to do, in order:
 *
 * - A fence `sh` holds commands. A fence `console` holds commands after `$ `, each followed by its output. A `console` fence
 *   without a command holds the further output of a command that is still running. A line `…` matches any lines, and a `…` in a
 *   line matches any text.
 * - A fence `browser` with an address holds what a browser shows there, after it has typed the lines that begin with `> `.
 * - A fence `sql` holds statements for the reader's own database.
 * - A fence with a path after its language, as in "```yaml my-app/sync.yaml", is the content of that file.
 */

export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: string; readonly shown?: readonly string[] }
  | { readonly kind: 'sql'; readonly text: string }
  | { readonly kind: 'browser'; readonly address: string; readonly lines: readonly string[] }
  | { readonly kind: 'shown next'; readonly shown: readonly string[] };

export function stepsOf(page: string): Step[] {
  const fences = page.matchAll(/^```(?<language>\w+)(?: (?<path>\S+))?\n(?<text>[\s\S]*?)^```$/gm);
  return [...fences].flatMap(({ groups: { language, path, text = '' } = {} }): Step[] => {
    if (language === 'browser' && path !== undefined)
      return [{ kind: 'browser', address: path, lines: linesOf(text) }];
    if (path !== undefined) return [{ kind: 'file', path, text }];
    if (language === 'sql') return [{ kind: 'sql', text }];
    if (language === 'sh') return commandsIn(text).map((command) => ({ kind: 'command', command }));
    return language === 'console' ? sessionIn(text) : [];
  });
}

/** A command continues in the next line after a `\`, and while a quote is open. */
function commandsIn(text: string): string[] {
  const commands: string[] = [];
  let begun = '';
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    begun += begun === '' ? line : `\n${line}`;
    if (isOpen(begun)) continue;
    if (begun.trim() !== '') commands.push(begun);
    begun = '';
  }
  return commands;
}

function isOpen(command: string): boolean {
  const withoutQuoted = command.replaceAll(/'[^']*'|"[^"]*"/g, '');
  return /['"]/.test(withoutQuoted.replace(/\s#.*$/, ''));
}

function sessionIn(text: string): Step[] {
  const [before = '', ...parts] = text.split(/^\$ /m);
  return [
    ...(before === '' ? [] : [{ kind: 'shown next' as const, shown: linesOf(before) }]),
    ...parts.map((part) => {
      const [command = '', ...shown] = linesOf(part.replaceAll('\\\n', ' '));
      return { kind: 'command' as const, command, shown };
    }),
  ];
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}
