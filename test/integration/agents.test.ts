import * as vscode from 'vscode';

/**
 * An API that is newer than the VS Code types of the product: https://code.visualstudio.com/api/extension-guides/ai/tools
 */
interface LanguageModels {
  readonly tools?: readonly { readonly name: string; readonly inputSchema?: object }[];
  readonly invokeTool?: (
    name: string,
    options: { readonly input: object; readonly toolInvocationToken: undefined },
  ) => Thenable<{ readonly content: readonly { readonly value: string }[] }>;
}

const lm = vscode.lm as LanguageModels | undefined;
const reaches = vscode.env.uiKind === vscode.UIKind.Desktop || vscode.env.remoteName !== undefined;
const wrong = `config:
  edition: 3
streams:
  lists:
    query: SELECT id, coalesce(name, '') AS name FROM lists WHERE owner_id = auth.user_id()
`;

async function answerOf(name: string, input: object): Promise<Readonly<Record<string, unknown>>> {
  const answer = await lm?.invokeTool?.(`headwater_${name}`, { input, toolInvocationToken: undefined });
  return JSON.parse(answer?.content[0]?.value ?? '{}');
}

describe('The tools for language models', () => {
  // Before VS Code 1.95, tools were a proposal, whose functions throw. A browser cannot start a process.
  const hasTools = Number(vscode.version.split('.')[1]) >= 95 && reaches;

  it('are all registered, or none of them, and the extension is active', async () => {
    // This list contains the tools even in a browser, where `when` hides them from models.
    if (!reaches) return;
    const extension = vscode.extensions.getExtension('headwater.headwater');
    await extension?.activate();
    const declared = extension?.packageJSON.contributes.languageModelTools as readonly { name: string }[];
    if (!hasTools) return;
    const names = (lm?.tools ?? []).map(({ name }) => name).filter((name) => name.startsWith('headwater_'));
    const expected = declared.map(({ name }) => name).toSorted();
    if (names.toSorted().join() !== expected.join()) throw new Error(`Found ${names.join()}.`);
  });

  it('find an error, fix it, and show the rows of a user', async () => {
    if (!hasTools) return;
    const checked = await answerOf('validate_config', { text: wrong });
    if (checked.errors !== 1) throw new Error(JSON.stringify(checked));
    const repaired = await answerOf('fix_config', { text: wrong });
    const text = (repaired.lines as readonly string[]).join('\n');
    if (repaired.errors !== 0 || text !== wrong.replace('coalesce', 'ifnull')) throw new Error(text);
    const preview = await answerOf('preview_user', {
      text: text.replace('    query', '    auto_subscribe: true\n    query'),
      user: 'ada',
      rows: { lists: [{ id: '1', owner_id: 'ada', name: 'Groceries' }] },
    });
    if (!JSON.stringify(preview).includes('Groceries')) throw new Error(JSON.stringify(preview));
  });

  it('report an invalid call in their answer', async () => {
    if (!hasTools) return;
    const answer = await answerOf('explain_code', { code: 'no-such-code' });
    if (typeof answer.error !== 'string') throw new Error(JSON.stringify(answer));
  });
});
