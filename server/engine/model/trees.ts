/**
 * Syntax trees take fifty times the memory of their texts. Those of a file of usual size are all kept; of a very large
 * file those that were asked for last. Others are read again when somebody asks.
 */
import type { ParsedSql, Statement } from '../sql/ast.ts';
import { parseSql } from '../sql/parser/parser.ts';

export interface KeptSql extends ParsedSql {
  /** Releases the tree. Until then, the text has the same tree, node by node; from then on, an equal one. */
  readonly letGo: () => void;
}

/** Characters of the texts whose trees are kept: four times as many as a file of 1,000 streams has. */
const most = 1_000_000;

interface Tree {
  readonly length: number;
  readonly drop: () => void;
}

/** The trees in the order in which they were released, or used again. */
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
