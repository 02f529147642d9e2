/**
 * Caches syntax trees, which take fifty times the memory of their texts. For a file of usual size, all trees are kept. For a very
 * large file, only the most recently used trees are kept, and others are parsed again when they are needed.
 */
import type { ParsedSql, Statement } from '../sql/ast.ts';
import { parseSql } from '../sql/parser/parser.ts';

export interface KeptSql extends ParsedSql {
  /** Releases the tree. Until then, the text keeps the same tree, node by node; afterwards, it gets an equal one. */
  readonly letGo: () => void;
}

/** The total number of characters of the texts whose trees are kept, which is four times that of a file with 1,000 streams. */
const most = 1_000_000;

interface Tree {
  readonly length: number;
  readonly drop: () => void;
}

/** The trees in the order in which they were released or last used. */
const latest = new Set<Tree>();
let characters = 0;

export function parseAndKeep(text: string): KeptSql {
  const { statements: first, problems } = parseSql(text);
  let statements: readonly Statement[] | undefined = first;
  const tree: Tree = {
    length: text.length,
    drop: () => {
      statements = undefined;
    },
  };
  return {
    text,
    problems,
    get statements() {
      if (statements !== undefined) return statements;
      const again = parseSql(text).statements;
      statements = again;
      remember(tree);
      return again;
    },
    letGo: () => remember(tree),
  };
}

function remember(tree: Tree): void {
  if (latest.has(tree)) return;
  latest.add(tree);
  characters += tree.length;
  for (const oldest of latest) {
    if (characters <= most) return;
    latest.delete(oldest);
    characters -= oldest.length;
    oldest.drop();
  }
}
