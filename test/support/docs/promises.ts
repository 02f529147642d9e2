/**
 * The sentences of a page, each with the tests that prove it. A comment after the sentence names these tests, and is invisible to
 * readers of the page: `<!-- test: test/a.test.ts "title" -->`, or `<!-- no test: definition -->` for a sentence that promises
 * nothing.
 */

import { blocksOf, comments } from './blocks.ts';

export interface Sentence {
  readonly line: number;
  readonly text: string;
  readonly tests: readonly NamedTest[];
  /** The reason why the page names no test for this sentence. */
  readonly exemption?: string;
  /** The parts of the sentence's comments that cannot be parsed. */
  readonly unread: readonly string[];
}

export interface NamedTest {
  readonly path: string;
  readonly title: string;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Returns the sentences of paragraphs and lists. Headings are not sentences. */
export function sentencesOf(page: string): readonly Sentence[] {
  return blocksOf(page).flatMap(({ text, line }) => {
    const sentences: Sentence[] = [];
    let at = 0;
    for (const comment of [...text.matchAll(comments), undefined]) {
      const prose = text.slice(at, comment?.index);
      const found = sentencesIn(prose);
      const start = line + text.slice(0, at).split('\n').length - 1;
      sentences.push(...found.map((each) => ({ line: start, text: each, tests: [], unread: [] })));
      const last = sentences.pop();
      if (last !== undefined)
        sentences.push(comment === undefined ? last : withComment(last, comment[1] ?? ''));
      at = (comment?.index ?? 0) + (comment?.[0].length ?? 0);
    }
    return sentences;
  });
}

/** Splits a text into sentences. A full stop in code or in the address of a link does not end a sentence. */
function sentencesIn(prose: string): readonly string[] {
  const plain = prose
    .replaceAll(/`[^`]*`|\]\([^)]*\)/g, (code) => 'x'.repeat(code.length))
    .replaceAll('\n', ' ');
  return [...segmenter.segment(plain)]
    .map(({ index, segment }) =>
      prose
        .slice(index, index + segment.length)
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((text) => /\p{L}/u.test(text));
}

function withComment(sentence: Sentence, comment: string): Sentence {
  const exemption = /^\s*no test: (.+?)\s*$/.exec(comment)?.[1];
  if (exemption !== undefined) return { ...sentence, exemption };
  const named = /\s*(?:test:|;)\s*(test\/[\w/.]+)\s+"([^"]+)"/g;
  const tests = [...comment.matchAll(named)].map(([, path = '', title = '']) => ({ path, title }));
  const rest = comment.replaceAll(named, '').trim();
  return {
    ...sentence,
    tests: [...sentence.tests, ...tests],
    unread: rest === '' ? sentence.unread : [...sentence.unread, rest],
  };
}

const quoted =
  /\b(?:test|describe|it)(?:\.\w+)*(?:<[^(]*>)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1|\)\(\s*(['"`])((?:\\.|(?!\3)[^\\])*)\3/g;

/** Returns the titles of all tests and test groups in the source of a test file, as they are written, with placeholders. */
export function titlesIn(source: string): ReadonlySet<string> {
  return new Set(
    [...source.matchAll(quoted)].map(([, , plain, , ofEach]) =>
      (plain ?? ofEach ?? '').replaceAll(/\\(.)/g, '$1'),
    ),
  );
}
