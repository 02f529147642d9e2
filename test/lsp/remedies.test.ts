import { afterEach, expect, test } from 'vitest';
import { type CodeAction, CodeActionTriggerKind } from 'vscode-languageserver';
import { bareHost } from '../../server/lsp/host/host.ts';
import { type Client, canPull, connectClient } from '../support/editor/client.ts';

const uri = 'file:///project/sync.yaml';
const text = `config:
  edition: 3
streams:
  lists:
    query: SELECT * FROM lists WHERE id IN (SELECT l.id FROM lists l JOIN members m ON m.list_id = l.id WHERE m.user_id = auth.user_id())
`;

interface Question {
  readonly content: string;
  readonly streams: readonly string[];
}

let client: Client;

afterEach(() => client.dispose());

const never = () => new Promise<void>(() => {});

/** Connects to a service with these numbers of results: for the current config, and if members are read directly. */
async function connect(now: number, then: number, service: 'answers' | 'silent' = 'answers') {
  const asked: Question[] = [];
  client = await connectClient(canPull, {
    host: { ...bareHost, clock: { ...bareHost.clock, wait: service === 'silent' ? async () => {} : never } },
    initializationOptions: { forecasts: true },
    answers: {
      'headwater/givenForecast': async (question: Question) => {
        asked.push(question);
        if (service === 'silent') await never();
        const reference = question.content.includes('FROM members m WHERE') ? then : now;
        const streams = [{ name: 'lists', buckets: 1, reference, surely: reference }];
        return { limits: { buckets: 1, results: 1 }, groups: [], streams };
      },
    },
  });
  await client.open(uri, text);
  return asked;
}

async function titles(triggerKind: CodeActionTriggerKind = CodeActionTriggerKind.Invoked) {
  const position = { line: 3, character: 4 };
  const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri },
    range: { start: position, end: position },
    context: { diagnostics: [], triggerKind },
  });
  return actions.map(({ title }) => title).filter((title) => title.includes('→'));
}

const known = { limits: { buckets: 1_000, results: 1_000 }, streams: [], groups: [] };
const learn = () => client.request('headwater/limits', { forecast: known });

test('a remedy is offered with the numbers of the selected service, which counts each text once', async () => {
  const asked = await connect(1_235, 295);
  await learn();
  expect(await titles()).toEqual(['Read members directly (1,235 → 295)']);
  expect(await titles()).toHaveLength(1);
  const texts = asked.map(({ content }) => content);
  expect(new Set(texts).size).toBe(texts.length);
  expect(asked[0]).toMatchObject({ content: text, streams: ['lists'] });
  await learn();
  expect(await titles()).toHaveLength(1);
  expect(asked.length).toBe(2 * texts.length);
});

test('nothing is counted for an automatic request of an editor, or if no service counts', async () => {
  const asked = await connect(1_235, 295);
  expect(await titles()).toEqual([]);
  await learn();
  expect(await titles(CodeActionTriggerKind.Automatic)).toEqual([]);
  expect(asked).toEqual([]);
});

test('no remedy is offered that does not reduce a number, and a silent service does not block the menu', async () => {
  await connect(295, 295);
  await learn();
  expect(await titles()).toEqual([]);
  client.dispose();
  await connect(1_235, 295, 'silent');
  await learn();
  expect(await titles()).toEqual([]);
});
