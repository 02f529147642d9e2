/** A page in blocks: paragraphs, items of lists, and lines of tables, without headings and blocks of code. */
export interface Block {
  readonly text: string;
  /** The line of its first character, counted from 1. */
  readonly line: number;
}

export const comments = /<!--([\s\S]*?)-->/g;

export function blocksOf(page: string): readonly Block[] {
  const blocks: { text: string; line: number }[] = [];
  let isOpen = false;
  const plain = page.replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, ''));
  for (const [index, text] of plain.split('\n').entries()) {
    const isBlank = /^\s*$/.test(text) || text.startsWith('#');
    const block = blocks.at(-1);
    if (isBlank) isOpen = false;
    else if (isOpen && block !== undefined && !/^\s*(?:[-*|]|\d+\.)\s/.test(text)) block.text += `\n${text}`;
    else {
      blocks.push({ text: text.replace(/^\s*(?:[-*]|\d+\.)\s/, ''), line: index + 1 });
      isOpen = true;
    }
  }
  return blocks;
}
