/** The texts of the project that people read: comments, titles, messages and pages, with their places. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeGroups, titleOf } from '../../server/engine/diagnostics/diagnostics.ts';
import { root } from '../root.ts';
import type { TextKind } from './constructions.ts';

export interface PlacedText {
  readonly kind: TextKind;
  readonly path: string;
  /** The line number, counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** @param prefix a file or folder; absent: the entire project */
export function projectTexts(prefix = ''): readonly PlacedText[] {
  const read = (patterns: readonly string[], textsIn: (path: string, text: string) => PlacedText[]) =>
    globSync([...patterns], { cwd: root })
      .filter((path) => path.startsWith(prefix) && !/(?:^|\/)node_modules\/|\.generated\./.test(path))
      .toSorted()
      .flatMap((path) => textsIn(path, readFileSync(join(root, path), 'utf8')));
  return [
    ...read(['{client,server,scripts,test}/**/*.{ts,tsx,mts}'], (path, text) => [
      ...commentsIn(path, text),
      ...(path.startsWith('test/') ? testTitlesIn(path, text) : []),
    ]),
    ...read(['*.md', '{docs,examples,walkthrough}/**/*.md'], paragraphsIn),
    ...read(['l10n/bundle.l10n.json', 'package.nls.json'], stringsIn),
    ...('server/engine/diagnostics'.startsWith(prefix) ? ruleTitles() : []),
  ];
}

/** Returns doc comments and runs of line comments, without directives for tools. */
function commentsIn(path: string, text: string): PlacedText[] {
  const found = text.matchAll(
    /(?<=^|[\s;{}(,])\/\*\*(?<doc>[\s\S]*?)\*\/|(?<=^|[\s;{}(,])(?<lines>\/\/ .*(?:\n[ \t]*\/\/ .*)*)/g,
  );
  return [...found].flatMap(({ index, groups: { doc, lines } = {} }) => {
    const plain = (doc ?? lines ?? '')
      .replace(/^[ \t]*(?:\*|\/\/)[ \t]?/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (plain === '' || /^(?:biome-ignore|@|\/|TODO)/.test(plain)) return [];
    return [{ kind: 'comment' as const, path, line: lineAt(text, index), text: withoutTags(plain) }];
  });
}

/** Removes the text after JSDoc tags, which has its own grammar. */
function withoutTags(comment: string): string {
  return comment.replace(/ @\w+[\s\S]*/, '');
}

function testTitlesIn(path: string, text: string): PlacedText[] {
  return [...text.matchAll(/^[ \t]*(?:test|describe|it)(?:\.\w+)*\((['"`])(?<title>.+?)\1/gm)].map(
    ({ index, groups: { title = '' } = {} }) => ({
      kind: 'page',
      path,
      line: lineAt(text, index),
      text: title,
    }),
  );
}

/** Returns paragraphs, list items and table cells, without code blocks, quoted code and Headwater's own output. */
function paragraphsIn(path: string, text: string): PlacedText[] {
  const prose = text.replace(/^[ \t]*```[\s\S]*?^[ \t]*```/gm, blank).replace(/`[^`\n]*`/g, blank);
  return [...prose.matchAll(/[^\n|]+(?:\n(?![ \t]*(?:[-*#|>]|\d+\.|\n))[^\n|]+)*/g)].flatMap(
    ({ index, 0: part }) => {
      const plain = part
        .replace(/^[ \t]*(?:[-*#>]+|\d+\.) /, '')
        .replace(/\s+/g, ' ')
        .trim();
      return /[a-z]/.test(plain)
        ? [{ kind: 'page' as const, path, line: lineAt(text, index), text: plain }]
        : [];
    },
  );
}

function blank(code: string): string {
  return code.replace(/[^\n]/g, '\u00b7');
}

function stringsIn(path: string, text: string): PlacedText[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const [, key = '', value = key] = /^\s*"((?:[^"\\]|\\.)*)": "((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
    return value === '' ? [] : [{ kind: 'message' as const, path, line: index + 1, text: value }];
  });
}

function ruleTitles(): PlacedText[] {
  return [...codeGroups.values()].flat().map((code) => ({
    kind: 'title',
    path: `docs/rules/${code}.md`,
    line: 3,
    text: titleOf(code),
  }));
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
