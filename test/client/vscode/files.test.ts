import { expect, test, vi } from 'vitest';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { answerFiles } from '../../../client/vscode/files.ts';
import { listFilesRequest, readFileRequest } from '../../../server/protocol.ts';

const editor = vi.hoisted(() => ({
  files: new Map<string, Uint8Array>(),
  sizes: new Map<string, number>(),
}));

vi.mock('vscode', () => ({
  RelativePattern: class {
    readonly base: string;
    constructor(base: string) {
      this.base = base;
    }
  },
  Uri: { parse: (uri: string) => uri },
  workspace: {
    findFiles: async ({ base }: { base: string }) =>
      [...editor.files.keys()].filter((uri) => uri.startsWith(base)),
    fs: {
      async stat(uri: string) {
        const size = editor.sizes.get(uri) ?? editor.files.get(uri)?.length;
        if (size === undefined) throw new Error('not found');
        return { size };
      },
      readFile: async (uri: string) => editor.files.get(uri),
    },
  },
}));

function answers(): (method: string, params: object) => Promise<unknown> {
  const registered = new Map<string, (params: object) => Promise<unknown>>();
  const client = {
    onRequest: (method: string, answer: (params: object) => Promise<unknown>) =>
      registered.set(method, answer),
  };
  answerFiles(client as unknown as BaseLanguageClient);
  return async (method, params) => registered.get(method)?.(params);
}

test('The server gets the files of a folder, their texts, and null for what cannot be read', async () => {
  editor.files.set('memfs:/w/a.sql', new TextEncoder().encode('select 1'));
  editor.files.set('memfs:/w/dump.sql', new Uint8Array());
  editor.sizes.set('memfs:/w/dump.sql', 1e9);
  const ask = answers();
  expect(await ask(listFilesRequest, { folder: 'memfs:/w/', pattern: '**/*.sql' })).toEqual([
    'memfs:/w/a.sql',
    'memfs:/w/dump.sql',
  ]);
  expect(await ask(readFileRequest, { uri: 'memfs:/w/a.sql' })).toBe('select 1');
  expect(await ask(readFileRequest, { uri: 'memfs:/w/dump.sql' })).toBeNull();
  expect(await ask(readFileRequest, { uri: 'memfs:/w/gone.sql' })).toBeNull();
});
