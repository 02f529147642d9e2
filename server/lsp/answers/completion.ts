import {
  type CompletionItem,
  CompletionItemKind,
  CompletionItemTag,
  type CompletionParams,
  CompletionTriggerKind,
  InsertTextFormat,
  InsertTextMode,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { completions } from '../../features/completion/completion.ts';
import {
  type Completion,
  type CompletionKind,
  hasStops,
  plainText,
  snippetText,
} from '../../features/completion/item.ts';
import type { CompletionWorld } from '../../features/completion/world.ts';
import { testCompletions } from '../../features/tests/completion.ts';
import { readClientOptions } from '../host/clientOptions.ts';
import { toRange } from './convert.ts';
import { atPosition, type Feature } from './feature.ts';
import { markupFor } from './markup.ts';
import { alsoInTests } from './tests/inTests.ts';

/**
 * Characters that request completion. A space does so only where a name must follow, and an apostrophe only where a string begins.
 */
const triggerCharacters = ['.', ' ', "'"];

export const completionFeature: Feature = {
  capabilities: { completionProvider: { triggerCharacters, resolveProvider: true } },
  answer(connection, session) {
    const { commands = [] } = readClientOptions(session.client);
    const canAskAgain = commands.includes(askAgain.command);
    const own = session.client.capabilities.textDocument?.completion?.completionItem;
    const takesSnippets = own?.snippetSupport === true;
    /** The items of the last list, whose documentation is computed when an item is selected. */
    let latest: readonly Completion[] = [];
    let lists = 0;

    const worldOf = (document: TextDocument, { context }: CompletionParams): CompletionWorld => ({
      environmentNames: () => session.host.environmentNames(session.host.readUri(document.uri)),
      others: () => session.all().flatMap((other) => (other.document === document ? [] : other.analysis)),
      catalog: () => session.schemaOf(session.host.readUri(document.uri))?.catalog,
      typed:
        context?.triggerKind === CompletionTriggerKind.TriggerCharacter
          ? context.triggerCharacter
          : undefined,
    });
    const toList = (document: TextDocument, offered: readonly Completion[]): CompletionItem[] => {
      latest = offered;
      lists += 1;
      const list = lists;
      return latest.map((item, index) => ({
        ...toItem(document, item, takesSnippets),
        sortText: `${item.rank}${String(index).padStart(5, '0')}`,
        ...(canAskAgain && item.continues && { command: askAgain }),
        data: { list, index } satisfies Resolvable,
      }));
    };
    const inConfigs = atPosition(session, ({ document, analysis }, offset, params: CompletionParams) =>
      toList(document, completions(analysis, offset, worldOf(document, params))),
    );
    const completionAt = alsoInTests(session, inConfigs, (tests, params) => {
      const { document, uri } = tests;
      const world = { ...worldOf(document, params), configs: session.tests.configsFor(uri) };
      return toList(document, testCompletions(tests, document.offsetAt(params.position), world));
    });
    connection.onCompletion(completionAt);

    connection.onCompletionResolve((item) => {
      const { list, index }: Partial<Resolvable> = item.data ?? {};
      const value = list === lists && index !== undefined ? latest[index]?.docs?.() : undefined;
      return value === undefined
        ? item
        : { ...item, documentation: markupFor(own?.documentationFormat, value) };
    });
  },
};

interface Resolvable {
  readonly list: number;
  readonly index: number;
}

const kinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  key: CompletionItemKind.Property,
  value: CompletionItemKind.EnumMember,
  keyword: CompletionItemKind.Keyword,
  table: CompletionItemKind.Class,
  column: CompletionItemKind.Field,
  cte: CompletionItemKind.Interface,
  alias: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  schema: CompletionItemKind.Module,
  parameter: CompletionItemKind.TypeParameter,
  variable: CompletionItemKind.Constant,
  code: CompletionItemKind.EnumMember,
  snippet: CompletionItemKind.Snippet,
};

/** Makes the editor show the next list, if it announces this command. */
const askAgain = { title: 'Suggest', command: 'editor.action.triggerSuggest' };

function toItem(document: TextDocument, item: Completion, takesSnippets: boolean): CompletionItem {
  const { label, kind, detail, insert, span, filter, isDeprecated } = item;
  const isSnippet = takesSnippets && hasStops(insert);
  return {
    label,
    kind: kinds[kind],
    ...(detail !== undefined && { detail }),
    // The filter text is required, because some editors otherwise compare the typed text with the entire edit.
    filterText: filter ?? label,
    textEdit: {
      range: toRange(document, span),
      newText: isSnippet ? snippetText(insert) : plainText(insert),
    },
    ...(isSnippet && { insertTextFormat: InsertTextFormat.Snippet }),
    insertTextMode: InsertTextMode.adjustIndentation,
    ...(isDeprecated && { tags: [CompletionItemTag.Deprecated] }),
  };
}
