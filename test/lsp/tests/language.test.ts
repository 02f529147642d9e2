/** Files of access tests in an editor: their problems, their completions, and their names. */
import { afterEach, describe, expect, test } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  Hover,
  LocationLink,
  TextDocumentEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Client } from '../../support/editor/client.ts';
import {
  configUri,
  folder,
  itemsOf,
  openTestWorkspace,
  roomsTests,
  testsUri,
} from '../../support/editor/testFiles.ts';
import { roomsConfig } from '../../support/engine/accessTests.ts';
import { eventually } from '../../support/house/eventually.ts';

let client: Client;
afterEach(() => client?.dispose());

/** @param text with `<|>` at the cursor */
async function openAt(text: string, files: Readonly<Record<string, string>> = {}) {
  ({ client } = await openTestWorkspace(files));
  const offset = text.indexOf('<|>');
  const written = text.replace('<|>', '');
  await client.open(testsUri, written);
  const document = TextDocument.create(testsUri, 'yaml', 1, written);
  const position = document.positionAt(offset);
  return { document, params: { textDocument: { uri: testsUri }, position } };
}

/** Returns the problems as `code marked-text`, after all files have been read. */
async function problemsOf(text: string, files: Readonly<Record<string, string>> = {}) {
  const { document } = await openAt(text, files);
  // The files of the folder are read first.
  await client.request('headwater/testFiles', {});
  const items = itemsOf(await client.pull(testsUri));
  return items.map(({ code, range }) => `${code} ${document.getText(range)}`);
}

describe('A problem', () => {
  test('is not reported in tests that pass', async () => {
    expect(await problemsOf(roomsTests)).toEqual([]);
  });

  test.each<[string, string, string, readonly string[]]>([
    ['a missing config', 'config: sync.yaml', 'config: nowhere.yaml', ['test-no-config nowhere.yaml']],
    [
      'a config of another kind',
      'config: sync.yaml',
      'config: migrations/1.sql',
      ['test-no-config migrations/1.sql'],
    ],
    ['no config', 'config: sync.yaml\n', '', ['test-no-config tests']],
    ['an unknown table', '  rooms:\n', '  roms:\n', ['test-unknown-name roms', 'test-fails [r1]']],
    [
      'an unknown column',
      'org: acme }\n  members',
      'orgg: acme }\n  members',
      ['test-unknown-name orgg', 'test-fails [r1]'],
    ],
    [
      'an unknown user',
      '      eve: nothing',
      '      evee: nothing',
      ['test-unused-user eve', 'test-unknown-name evee'],
    ],
    [
      'a duplicate row',
      '    - { id: r1, org: acme }\n',
      '    - { id: r1, org: acme }\n    - { id: r1, org: evil }\n',
      ['test-duplicate-name { id: r1, org: evil }', 'test-fails nothing'],
    ],
    [
      'a table that is never synced',
      'ada: { rooms: [r1] }',
      'ada: { members: none, rooms: [r1] }',
      ['test-never-synced members'],
    ],
    ['a user without expectations', 'users:\n', 'users:\n  bob: {}\n', ['test-unused-user bob']],
    [
      'rows that cannot be read',
      'rows:\n',
      'rows:\n  from: nowhere.sql\n',
      ['test-unreadable-rows nowhere.sql'],
    ],
    [
      'an invalid expectation',
      'eve: nothing',
      'eve: everything',
      ['test-unused-user eve', 'test-unreadable-expectation everything'],
    ],
  ])('is reported at its place: %s', async (_, from, to, problems) => {
    expect(roomsTests).toContain(from);
    expect(await problemsOf(roomsTests.replace(from, to))).toEqual(problems);
  });

  test('is not reported if a comment ignores it', async () => {
    const text = roomsTests.replace('users:\n', 'users:\n  # headwater-ignore test-unused-user\n  bob: {}\n');
    expect(await problemsOf(text)).toEqual([]);
  });

  test('is reported for a config with errors, until they are fixed, even in an unsaved file', async () => {
    expect(
      await problemsOf(roomsTests, { 'sync.yaml': roomsConfig.replace('SELECT id', 'SELEC id') }),
    ).toEqual(['test-no-config sync.yaml']);
    await client.open(configUri, roomsConfig);
    expect(itemsOf(await client.pull(testsUri))).toEqual([]);
  });

  test('is reported for a failing test, with the query that causes it, in editors that do not show tests', async () => {
    await openAt(roomsTests, { 'sync.yaml': roomsConfig.replace("org = auth.parameter('org')", 'true') });
    await client.request('headwater/testFiles', {});
    const [item, ...others] = itemsOf(await client.pull(testsUri));
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      code: 'test-fails',
      message: 'eve gets rooms r1, which is not expected. Expected none, has [r1].',
      relatedInformation: [{ location: { uri: configUri, range: { start: { line: 5 } } } }],
    });
  });

  test('is not reported for a failing test if the editor shows tests itself', async () => {
    ({ client } = await openTestWorkspace(
      { 'sync.yaml': roomsConfig.replace("org = auth.parameter('org')", 'true') },
      { tests: 'shown' },
    ));
    await client.open(testsUri, roomsTests);
    await client.request('headwater/testFiles', {});
    expect(itemsOf(await client.pull(testsUri))).toEqual([]);
  });
});

const claim = `always:
  - name: a room stays in its org
    table: rooms
    holds: org = auth.parameter('org')
`;
const leaking = roomsConfig.replace(
  "org = auth.parameter('org')",
  "org = auth.parameter('org') OR org = connection.parameter('org')",
);

describe('A claim that does not hold', () => {
  const untilFailing = () =>
    eventually(async () => {
      const found = itemsOf(await client.pull(testsUri)).filter(({ code }) => code === 'always-fails');
      expect(found).toHaveLength(1);
      return found[0];
    });

  test('is an error at its name, with the query that leaks', async () => {
    const { document } = await openAt(roomsTests + claim, { 'sync.yaml': leaking });
    const item = await untilFailing();
    expect(document.getText(item?.range)).toBe('a room stays in its org');
    expect(item?.relatedInformation?.[0]?.location.uri).toBe(configUri);
  });

  test('becomes a failing test by its quick fix, and the test passes when the config is corrected', async () => {
    const { document } = await openAt(roomsTests + claim, { 'sync.yaml': leaking });
    const item = await untilFailing();
    const params = {
      textDocument: { uri: testsUri },
      range: item?.range,
      context: { diagnostics: [item] },
    };
    const [action] = await client.request<CodeAction[]>('textDocument/codeAction', params);
    expect(action?.title).toBe('Add the counterexample as a test');
    const after = applied(document, action?.edit);
    expect(after).toContain('\n  witness: ');
    expect(after).toContain('\n  - name: "a room stays in its org: a counterexample"\n    rows:\n');
    // The claims are not changed.
    expect(after).toContain(claim);
    await client.change(testsUri, { text: after });
    const failing = async () => {
      const items = itemsOf(await client.pull(testsUri));
      return items.filter(({ code }) => code === 'test-fails').map(({ message }) => message);
    };
    expect(await failing()).toEqual([expect.stringMatching(/^witness gets rooms /)]);
    await client.open(configUri, roomsConfig);
    expect(await failing()).toEqual([]);
    await eventually(async () => expect(itemsOf(await client.pull(testsUri))).toEqual([]));
  });

  test.each([
    [
      'no users',
      roomsTests
        .replace(/users:\n(?: .*\n)+/, '')
        .replace(/ {6}(?:ada|eve).*\n/g, '')
        .replace('expect:\n', 'expect: {}\n'),
    ],
    [
      'users in braces',
      roomsTests.replace(
        /users:\n.*\n.*\n/,
        'users: { ada: { id: u1, claims: { org: acme } }, eve: { id: u2 } }\n',
      ),
    ],
    [
      'a comment after the last test',
      roomsTests.replace('eve: nothing\n', 'eve: nothing # she is of another org\n'),
    ],
    [
      'another witness',
      roomsTests.replace('eve: { id', 'witness: { id').replace('eve: nothing', 'witness: nothing'),
    ],
    ['no tests', roomsTests.slice(0, roomsTests.indexOf('tests:'))],
  ])('becomes a test in a file with %s', async (_, text) => {
    const { document } = await openAt(text + claim, { 'sync.yaml': leaking });
    const item = await untilFailing();
    const [action] = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: testsUri },
      range: item?.range,
      context: { diagnostics: [item] },
    });
    const codes = async () => itemsOf(await client.pull(testsUri)).map(({ code }) => code);
    const failing = (found: readonly unknown[]) => found.filter((code) => code === 'test-fails').length;
    const before = await codes();
    await client.change(testsUri, { text: applied(document, action?.edit) });
    const after = await codes();
    expect(failing(after)).toBe(failing(before) + 1);
    const others = ['always-fails', 'test-fails', 'test-unused-user'];
    expect(after.filter((code) => !others.includes(String(code)))).toEqual([]);
  });
});

function applied(document: TextDocument, edit: WorkspaceEdit | undefined): string {
  const [change] = (edit?.documentChanges ?? []) as TextDocumentEdit[];
  return TextDocument.applyEdits(document, (change?.edits ?? []) as never);
}

describe('Completions are', () => {
  const labelsAt = async (text: string) => {
    const { params } = await openAt(text);
    await client.request('headwater/testFiles', {});
    const items = await client.request<CompletionItem[]>('textDocument/completion', params);
    return items.sort((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1)).map(({ label }) => label);
  };

  test.each<[string, string, string, readonly string[]]>([
    ['configs', 'config: sync.yaml', 'config: <|>', ['sync.yaml']],
    ['keys', 'tests:\n', 'al<|>\ntests:\n', ['schema', 'always']],
    ['claims that the config reads', 'claims: { org: evil }', 'claims: { <|> }', ['org']],
    ['tables', '  members:\n', '  <|>\n  members:\n', ['messages']],
    ['columns', '- { id: r1, org: acme }', '- { id: r1, <|> }', ['org']],
    ['users', '      eve: nothing', '      <|>', ['eve']],
    ['tables of clients', 'ada: { rooms: [r1] }', 'ada: { <|> }', ['rooms', 'messages']],
    ['rows', '[r1]', '[<|>]', ['r1']],
    ['`nothing`', 'eve: nothing', 'eve: <|>', ['nothing']],
    ['`all` and `none`', 'ada: { rooms: [r1] }', 'ada: { rooms: <|> }', ['all', 'none']],
    ['streams', '    expect:', '    subscribe: [<|>]\n    expect:', ['rooms', 'messages']],
    [
      'streams in a subscription',
      '    expect:',
      '    subscribe: [{ stream: <|> }]\n    expect:',
      ['rooms', 'messages'],
    ],
    [
      'parameters of the stream',
      '    expect:',
      '    subscribe:\n      - stream: messages\n        parameters:\n          <|>\n    expect:',
      ['room'],
    ],
  ])('%s', async (_, from, to, labels) => {
    expect(roomsTests).toContain(from);
    const found = await labelsAt(roomsTests.replace(from, to));
    for (const label of labels) expect(found).toContain(label);
    expect(found.slice(0, labels.length).sort()).toEqual([...labels].sort());
  });

  test('a whole file of tests in an empty file, and never a sync config', async () => {
    const { document, params } = await openAt('<|>');
    await client.request('headwater/testFiles', {});
    const items = await client.request<CompletionItem[]>('textDocument/completion', params);
    expect(items.map(({ label }) => label)).not.toContain('sync config');
    const { textEdit } = items.find(({ label }) => label === 'access tests') ?? {};
    const written = TextDocument.applyEdits(document, [textEdit as never])
      .replaceAll(/\$\{\d+:([^}]*)\}/g, '$1')
      .replaceAll('tasks', 'rooms')
      .replaceAll('owner_id', 'org');
    expect(written).toMatch(/^config: sync.yaml\n/);
    // The config selects rooms by a claim that this user does not have.
    expect(await problemsOf(written)).toEqual(['test-fails [t1]']);
  });

  test.each([
    ['of an enum', 'role: <|> }', ['owner', 'guest']],
    ['of no other column', 'id: <|> }', []],
  ])('values %s', async (_, to, labels) => {
    const files = {
      'migrations/1.sql':
        "CREATE TYPE kind AS ENUM ('owner', 'guest');\nCREATE TABLE members (id text, room_id text, user_id text, role kind);\n",
    };
    const { params } = await openAt(`config: sync.yaml\nrows:\n  members:\n    - { ${to}\n`, files);
    await client.request('headwater/testFiles', {});
    const items = await client.request<CompletionItem[]>('textDocument/completion', params);
    expect(items.map(({ label }) => label)).toEqual(labels);
  });

  // Editors put the cursor at these places after the first line of an item.
  test.each([
    ['a key', 'tests:\n  - name: it\n  <|>\n', 'expect', '    expect:\n      '],
    ['an incomplete key', 'tests:\n  - name: it\n  ex<|>\n', 'expect', '    expect:\n      '],
    ['a name', 'rows:\n  members:\n    -   id: m1\n    <|>\n', 'user_id', '        user_id: '],
  ])('%s of the item above, with the indentation of the item', async (_, to, label, line) => {
    const { document, params } = await openAt(`config: sync.yaml\n${to}`);
    await client.request('headwater/testFiles', {});
    const items = await client.request<CompletionItem[]>('textDocument/completion', params);
    const { textEdit } = items.find((item) => item.label === label) ?? {};
    const start = document.getText({
      start: { line: params.position.line, character: 0 },
      end: params.position,
    });
    const indent = /^ */.exec(start)?.[0] ?? '';
    const { newText = '' } = (textEdit ?? {}) as { newText?: string };
    // Editors indent the further lines of an insertion like the current line.
    expect(`${indent}${newText.replaceAll('$0', '').replaceAll('\n', `\n${indent}`)}`).toBe(line);
  });

  test.each([
    ['a value', 'tests:\n  - it\n  <|>\n'],
    ['braces', 'tests:\n  - { name: it }\n  <|>\n'],
  ])('only a further item below %s', async (_, to) => {
    expect(await labelsAt(`config: sync.yaml\n${to}`)).toEqual(['- ']);
  });
});

describe('Completions in the condition of a claim are', () => {
  const labelsIn = async (holds: string) => {
    const { params } = await openAt(
      `${roomsTests}always:\n  - name: it\n    table: rooms\n    holds: ${holds}\n`,
    );
    await client.request('headwater/testFiles', {});
    const list = await client.request<{ items: CompletionItem[] } | CompletionItem[] | null>(
      'textDocument/completion',
      params,
    );
    return (Array.isArray(list) ? list : (list?.items ?? [])).map(({ label }) => label);
  };

  test.each<[string, string, readonly string[]]>([
    ['columns and request values', 'o<|>', ['auth.user_id()', "auth.parameter('org')", 'id', 'org']],
    [
      'columns and request values after an operator',
      'org = <|>',
      ['auth.user_id()', "auth.parameter('org')", 'id', 'org'],
    ],
    ['request values', 'org = auth.<|>', ['auth.user_id()', "auth.parameter('org')"]],
    ['tables', 'EXISTS (SELECT 1 FROM m<|>', ['rooms', 'messages', 'members']],
    [
      'columns of an alias',
      'EXISTS (SELECT 1 FROM members m WHERE m.<|>',
      ['m.id', 'm.room_id', 'm.user_id'],
    ],
    ['empty in a text', "org = 'a<|>", []],
  ])('%s', async (_, holds, labels) => {
    expect((await labelsIn(holds)).sort()).toEqual([...labels].sort());
  });
});

describe('Names', () => {
  const marked = (from: string, text = roomsTests.replace('expect:', 'subscribe: [messages]\n    expect:')) =>
    text.replace(from, (found) => `${found.slice(0, -1)}<|>${found.slice(-1)}`);

  test.each([
    ['a stream', 'subscribe: [messages', '**`messages`** · stream'],
    ['a user', '      ada', '**`ada`** · user of these tests'],
    ['a table', '  members', '**`public.members`** · table'],
    ['a column', 'room_id', '**`room_id`** · column of `members`'],
    ['a row', '[r1', '**`r1`** · row of `rooms`'],
    ['a key', 'config', 'Path of the sync config'],
  ])('are explained: %s', async (_, at, markdown) => {
    const { params } = await openAt(marked(at));
    await client.request('headwater/testFiles', {});
    const hover = await client.request<Hover | null>('textDocument/hover', params);
    expect((hover?.contents as { value: string } | undefined)?.value).toContain(markdown);
  });

  test.each([
    ['a stream', 'subscribe: [messages', configUri, 6],
    ['the config', 'config: sync.yaml', configUri, 0],
    ['a user', '      ada', testsUri, 2],
    ['a row', '[r1', testsUri, 6],
    ['a table', '  members', `${folder}migrations/1.sql`, 2],
  ])('are linked to their definitions: %s', async (_, at, uri, line) => {
    const { params } = await openAt(marked(at));
    await client.request('headwater/testFiles', {});
    const [link] = (await client.request<LocationLink[] | null>('textDocument/definition', params)) ?? [];
    expect([link?.targetUri, link?.targetSelectionRange.start.line]).toEqual([uri, line]);
  });

  test('of streams are also renamed in the tests', async () => {
    const text = roomsTests.replace(
      'expect:',
      'subscribe: [{ stream: messages, parameters: { room: r1 } }]\n    expect:',
    );
    ({ client } = await openTestWorkspace({ 'rooms.sync-test.yaml': text }));
    await client.open(configUri, roomsConfig);
    await client.request('headwater/testFiles', {});
    const edit = await client.request<WorkspaceEdit>('textDocument/rename', {
      textDocument: { uri: configUri },
      position: { line: 6, character: 4 },
      newName: 'talk',
    });
    const changes = (edit.documentChanges ?? []) as TextDocumentEdit[];
    expect(changes.map(({ textDocument: { uri }, edits }) => [uri, edits.length])).toEqual([
      [configUri, 1],
      [testsUri, 1],
    ]);
  });

  test('that are unknown can be replaced with similar names', async () => {
    const { document } = await openAt(roomsTests.replace('eve: nothing', 'evee: nothing'));
    await client.request('headwater/testFiles', {});
    const item = itemsOf(await client.pull(testsUri)).find(({ code }) => code === 'test-unknown-name');
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri: testsUri },
      range: item?.range,
      context: { diagnostics: [item] },
    });
    expect(actions.map(({ title }) => title)).toEqual(['Write eve']);
    expect(applied(document, actions[0]?.edit)).toBe(roomsTests);
  });
});

describe('Code lenses', () => {
  const lensesOf = async (uri: string) => {
    const lenses = await client.request<CodeLens[] | null>('textDocument/codeLens', {
      textDocument: { uri },
    });
    return (lenses ?? []).map(({ range, command }) => `${range.start.line} ${command?.title}`);
  };

  test('run each test, and run all tests above the config', async () => {
    await openAt(roomsTests);
    expect(await lensesOf(testsUri)).toEqual(['0 Run all', '10 Run']);
  });

  test('show the number of tests and the coverage of each stream', async () => {
    ({ client } = await openTestWorkspace({ 'rooms.sync-test.yaml': roomsTests }));
    await client.open(configUri, roomsConfig);
    await client.request('headwater/testFiles', {});
    expect(await lensesOf(configUri)).toEqual(['3 1 test · 100 % covered', '6 no test']);
  });
});

test('A file of tests is not formatted', async () => {
  await openAt(roomsTests.replace('  ada: {', '  ada:    {'));
  const options = { tabSize: 2, insertSpaces: true };
  const params = { textDocument: { uri: testsUri }, options };
  expect(await client.request('textDocument/formatting', params)).toBeNull();
});
