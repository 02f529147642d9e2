/** Runs `yaml` within limits: its memory grows with each token, and its stack with each level. */
import { Composer, type Document, Lexer, Parser, Schema } from 'yaml';

export interface Composition {
  /** The documents; of more than two, only the first two. */
  readonly documents: readonly Document.Parsed[];
  /** The place where reading was given up, if it was. */
  readonly stopped?: { readonly code: 'yaml-too-deep' | 'yaml-too-long'; readonly at: number };
}

/** The maximum number of levels of nesting, since our walks over nodes are recursive. No config needs more than 8. */
export const mostLevels = 100;
/** Tokens in one text: a megabyte or more, and about two seconds. */
const longest = 250_000;

/** Misplaced tokens at the top of a text. A text with more of them is not YAML. */
const mostErrors = 100;

const options = {
  // Its own check takes time that grows with the square of a map's size.
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
