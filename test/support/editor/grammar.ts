/** The colours that an editor shows before a language server answers. They come from TextMate grammars with our injections. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as oniguruma from 'vscode-oniguruma';
import textmate, { type IGrammar } from 'vscode-textmate';
import manifest from '../../../package.json' with { type: 'json' };

const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
const loaded = oniguruma.loadWASM(wasm);

const ours = manifest.contributes.grammars;
const newer = { 'source.yaml': 'yaml', 'source.yaml.1.2': 'yaml-1.2' };
const older = { 'source.yaml': 'yaml-older' };

export type YamlGrammar = 'newer' | 'older';

/** Returns the grammar of YAML with the injections from package.json. */
export async function yamlGrammar(which: YamlGrammar): Promise<IGrammar> {
  await loaded;
  const files: Readonly<Record<string, string>> = which === 'newer' ? newer : older;
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    async loadGrammar(scopeName) {
      const own = ours.find((grammar) => grammar.scopeName === scopeName);
      const path = own
        ? `../../../${own.path}`
        : `../../fixtures/grammars/${files[scopeName]}.tmLanguage.json`;
      if (!own && files[scopeName] === undefined) return null;
      return textmate.parseRawGrammar(readFileSync(new URL(path, import.meta.url), 'utf8'), path);
    },
    getInjections: (scopeName) =>
      ours.filter(({ injectTo }) => injectTo.includes(scopeName)).map((grammar) => grammar.scopeName),
  });
  const grammar = await registry.loadGrammar('source.yaml');
  if (!grammar) throw new Error('No grammar of YAML');
  return grammar;
}

export interface ColouredToken {
  readonly text: string;
  /** The innermost scope. */
  readonly scope: string;
  readonly isSql: boolean;
}

/** Returns the coloured tokens without white space. */
export function colour(grammar: IGrammar, text: string): ColouredToken[] {
  let state = textmate.INITIAL;
  return text.split('\n').flatMap((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    return tokens.flatMap(({ startIndex, endIndex, scopes }) => {
      const part = line.slice(startIndex, endIndex).trim();
      const isSql = scopes.some((scope) => scope.startsWith('meta.embedded'));
      return part === '' ? [] : [{ text: part, scope: scopes.at(-1) ?? '', isSql }];
    });
  });
}
