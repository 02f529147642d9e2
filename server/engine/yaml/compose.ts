/** Runs `yaml` within limits, because its memory grows with each token, and its stack with each level. */
import { Composer, type Document, Lexer, Parser, Schema } from 'yaml';

export interface Composition {
  /** The documents; if there are more than two, only the first two. */
  readonly documents: readonly Document.Parsed[];
  /** The place where reading stopped early, if it did. */
  readonly stopped?: { readonly code: 'yaml-too-deep' | 'yaml-too-long'; readonly at: number };
}

/** The maximum nesting, because our functions recurse over nodes. Real configs need at most 8 levels. */
export const mostLevels = 100;
/** The maximum number of tokens in one text, which corresponds to a megabyte or more and takes about two seconds. */
const longest = 250_000;

/** The maximum number of misplaced tokens at the top of a text. A text with more of them is not YAML. */
const mostErrors = 100;

const options = {
  // The check of the library takes quadratic time in the size of a map.
  uniqueKeys: false,
  intAsBigInt: true,
  schema: new Schema({ schema: 'core', resolveKnownTags: false }),
};

export function compose(text: string): Composition {
  const parser = new Parser();
  let stopped: Composition['stopped'];
  function* tokens() {
    let count = 0;
    let errors = 0;
    for (const lexeme of new Lexer().lex(text)) {
      if (parser.stack.length > mostLevels) stopped = { code: 'yaml-too-deep', at: parser.offset };
      else if (++count > longest) stopped = { code: 'yaml-too-long', at: parser.offset };
      if (stopped !== undefined || errors > mostErrors) break;
      for (const token of parser.next(lexeme)) {
        if (token.type === 'error') errors++;
        yield token;
      }
    }
    yield* parser.end();
  }
  const documents: Document.Parsed[] = [];
  for (const document of new Composer(options).compose(tokens())) {
    documents.push(document);
    if (documents.length === 2) break;
  }
  return { documents, ...(stopped && { stopped }) };
}
