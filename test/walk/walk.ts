/**
 * A random walk through the language protocol: edits, requests, files that come and go, and all kinds of answers from a
 * service, faster than the server can keep up. Nothing may fail on the way. At the end, the server must give the same
 * answers as a server that was just started.
 */
import { CancellationTokenSource, type TextDocumentContentChangeEvent } from 'vscode-languageserver';
import { serviceSchemaRequest } from '../../server/protocol.ts';
import { type Random, randomOf } from '../consistency/random.ts';
import type { Client } from '../support/editor/client.ts';
import { roomsTests } from '../support/editor/testFiles.ts';
import { readExamples } from '../support/engine/examples.ts';
import { applied, editOf } from './edits.ts';
import { differences, isRefusal, type Picture, pictureOf } from './picture.ts';
import { requests } from './requests.ts';
import { enter, everywhere, folders, placesIn, type World } from './world.ts';

export interface WalkResult {
  readonly requests: number;
  readonly edits: number;
  /** One line for each step, from which the walk can be repeated. */
  readonly recording: readonly string[];
  readonly problems: readonly string[];
}

interface Walk {
  readonly random: Random;
  readonly world: World;
  readonly client: Client;
  /** Sends a message, records it, and collects a failure. */
  readonly tell: (what: string, params: object, send: () => Promise<unknown>) => void;
}

/** The limit of messages that the server has not answered yet. */
const mostPending = 25;

export async function walk(steps: number, seed: number): Promise<WalkResult> {
  const random = randomOf(seed);
  const world = newWorld(random);
  const recording: string[] = [];
  const problems: string[] = [];
  const client = await enter(world, (message) => problems.push(`log: ${message}`));
  const counts = { requests: 0, edits: 0 };
  let pending: Promise<unknown>[] = [];
  const tell: Walk['tell'] = (what, params, send) => {
    const step = recording.push(`${what} ${JSON.stringify(params)}`);
    if (what in requests) counts.requests += 1;
    if (what === 'change') counts.edits += 1;
    pending.push(
      send().catch((error: unknown) => {
        if (!isRefusal(error)) problems.push(`${step}: ${recording[step - 1]}: ${error}`);
      }),
    );
  };
  for (let step = 0; step < steps; step++) {
    takeStep({ random, world, client, tell });
    if (pending.length < random.below(mostPending)) continue;
    await Promise.all(pending);
    pending = [];
  }
  await Promise.all(pending);
  problems.push(...(await compareWithFresh(client, world, seed)));
  client.dispose();
  return { ...counts, recording, problems };
}

/**
 * The limit of attempts until the server gives the same answers twice. It needs several attempts, because it is still
 * reading files.
 */
const mostPictures = 20;

async function compareWithFresh(client: Client, world: World, seed: number): Promise<string[]> {
  const logged: string[] = [];
  const fresh = await enter(world, (message) => logged.push(`log of a fresh server: ${message}`));
  const take = (one: Client) => pictureOf(one, placesIn(world), randomOf(seed));
  const settle = async (one: Client): Promise<Picture> => {
    let picture = await take(one);
    for (let count = 1; count < mostPictures; count++) {
      const next = await take(one);
      if (differences(picture, next).length === 0) return next;
      picture = next;
    }
    return picture;
  };
  const found = differences(await settle(client), await settle(fresh));
  fresh.dispose();
  return [...logged, ...found];
}

const texts = readExamples().map(({ text }) => text);
const names = [
  'sync.yaml',
  'powersync/a.yaml',
  'service.yaml',
  'powersync.yaml',
  'sync rules ü.yaml',
  'a.sync-test.yaml',
];
const uris = folders.flatMap((folder) => names.map((name) => new URL(name, folder).href));

function newWorld(random: Random): World {
  const disk = new Map([
    ['file:///w/app/schema.sql', ddl[0] ?? ''],
    [uris[0] ?? '', random.pick(texts)],
  ]);
  return { open: new Map(), disk, folders, settings: null, answers: new Map() };
}

function newText(random: Random): string {
  const text = random.pick(texts);
  if (random.below(3) > 0) return text;
  const content = text.replace(/^(?=.)/gm, '    ');
  return random.pick([
    `replication:\n  connections:\n    - type: postgresql\n      uri: !env PG_URI\nsync_config:\n  content: |\n${content}`,
    'replication: {}\nsync_config:\n  path: sync.yaml\n',
    'replication: {}\nsync_config:\n  path: powersync/a.yaml\nclient_auth:\n  jwks_uri: http://localhost/keys\n',
    roomsTests,
    roomsTests.replace('sync.yaml', 'powersync/a.yaml'),
    'apiVersion: v1\nkind: Service\n',
    '',
  ]);
}

const steps: readonly (readonly [weight: number, (walk: Walk) => void])[] = [
  [45, ask],
  [40, edit],
  [4, open],
  [2, close],
  [2, replace],
  [3, writeFile],
  [2, deleteFile],
  [1, moveFile],
  [1, answerOfService],
  [1, changeSettings],
  [1, changeFolders],
];
/** Contains each step as often as its weight. */
const deck = steps.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

function takeStep(walk: Walk): void {
  const step = walk.random.pick(deck);
  if (walk.world.open.size === 0) open(walk);
  else step(walk);
}

/** Sends a request, sometimes about a closed document. */
function ask({ random, world, client, tell }: Walk): void {
  const method = random.pick(Object.keys(requests));
  const uri = random.below(20) === 0 ? random.pick(uris) : random.pick([...world.open.keys()]);
  const params = requests[method]?.({ uri, text: world.open.get(uri) ?? '' }, random) ?? {};
  const source = new CancellationTokenSource();
  tell(method, params, () => client.request(method, params, source.token));
  if (random.below(15) === 0) source.cancel();
}

function edit({ random, world, client, tell }: Walk): void {
  const uri = random.pick([...world.open.keys()]);
  const changes: TextDocumentContentChangeEvent[] = [];
  let text = world.open.get(uri) ?? '';
  for (let count = random.below(10) === 0 ? 3 : 1; count > 0; count--) {
    const change = editOf(text, random);
    changes.push(change);
    text = applied(text, change);
  }
  world.open.set(uri, text);
  tell('change', { uri, changes }, () => client.change(uri, ...changes));
}

function replace({ random, world, client, tell }: Walk): void {
  const uri = random.pick([...world.open.keys()]);
  const text = newText(random);
  world.open.set(uri, text);
  tell('change', { uri, text }, () => client.change(uri, { text }));
}

function open({ random, world, client, tell }: Walk): void {
  const uri = random.pick(uris);
  if (world.open.has(uri)) return;
  const text = world.disk.get(uri) ?? newText(random);
  world.open.set(uri, text);
  tell('open', { uri, text }, () => client.open(uri, text));
}

function close({ random, world, client, tell }: Walk): void {
  const uri = random.pick([...world.open.keys()]);
  world.open.delete(uri);
  tell('close', { uri }, () => client.close(uri));
}

const ddl = [
  'create table lists (id uuid primary key, owner_id uuid, name text);\ncreate table tasks (id uuid, list_id uuid);',
  'alter table lists add column kind integer; drop table tasks;',
  'create table "odd name" ("a b" int, \';',
  'create table create table ((((\0\u{1f600}',
  '',
  'insert into lists values (1);',
];
const sqlFiles = folders.flatMap((folder) => [
  `${folder}schema.sql`,
  `${folder}supabase/migrations/2_more.sql`,
]);

const garbage = [
  '{',
  '[]',
  'null',
  '{"tables": [{"name": "lists", "columns": [{"name": "id"}, {"name": 5}, null]}]}',
  '{"tables": [{"name": "lists", "columns": [{"name": "id", "type": "text"}, {"name": "owner_id"}]}]}',
];

function writeFile({ random, world, client, tell }: Walk): void {
  const [uri = '', text = ''] = random.pick([
    () => [random.pick(sqlFiles), random.pick(ddl)],
    () => [`${random.pick(folders)}snapshot.json`, random.pick(garbage)],
    () => [random.pick(uris), newText(random)],
    () => {
      const saved = random.pick([...world.open.keys()]);
      return [saved, world.open.get(saved) ?? ''];
    },
  ])();
  const type = world.disk.has(uri) ? 2 : 1;
  world.disk.set(uri, text);
  const changes = [{ uri, type }];
  tell('write', { uri, text }, () => client.notify('workspace/didChangeWatchedFiles', { changes }));
}

/** Deletes a file, even if it is open, or an entire folder. */
function deleteFile({ random, world, client, tell }: Walk): void {
  const uri = random.pick([
    ...world.disk.keys(),
    'file:///w/app/powersync',
    'file:///w/other/supabase',
    'file:///x',
  ]);
  for (const known of world.disk.keys())
    if (known === uri || known.startsWith(`${uri}/`)) world.disk.delete(known);
  const changes = [{ uri, type: 3 }];
  tell('delete', { uri }, () => client.notify('workspace/didChangeWatchedFiles', { changes }));
}

/** Moves a file as an editor does: closes the document, and opens it under its new name. */
function moveFile({ random, world, client, tell }: Walk): void {
  const [from, to] = [random.pick([...world.open.keys()]), random.pick(uris)];
  const text = world.open.get(from) ?? '';
  if (world.open.has(to)) return;
  world.open.delete(from);
  world.open.set(to, text);
  const changes = [
    { uri: from, type: 3 },
    { uri: to, type: world.disk.has(to) ? 2 : 1 },
  ];
  world.disk.delete(from);
  world.disk.set(to, text);
  tell('move', { from, to }, () =>
    Promise.all([
      client.notify('workspace/didChangeWatchedFiles', { changes }),
      client.close(from),
      client.open(to, text),
    ]),
  );
}

function answerOfService({ random, world, client, tell }: Walk): void {
  const folder = random.pick([undefined, ...folders]);
  const answer: unknown = random.pick<unknown>([
    null,
    'garbage',
    { data: { connections: 5 } },
    {
      data: {
        connections: [{ schemas: [{ name: 'public', tables: [null, { name: 'lists', columns: {} }] }] }],
      },
    },
    JSON.parse(garbage[4] ?? ''),
  ]);
  world.answers.set(folder ?? everywhere, answer);
  const params = { ...(folder !== undefined && { folder }), answer, takenAt: '' };
  tell(serviceSchemaRequest, params, () => client.request(serviceSchemaRequest, params));
}

function changeSettings({ random, world, client, tell }: Walk): void {
  const settings = random.pick<unknown>([
    null,
    'garbage',
    { schema: { file: 'snapshot.json' } },
    { schema: { source: 'files', file: '../::\\%' }, inlayHints: { buckets: false } },
    { schema: 5, inlayHints: [] },
  ]);
  world.settings = settings;
  tell('settings', { settings }, () => client.notify('workspace/didChangeConfiguration', { settings: null }));
}

function changeFolders({ world, client, tell }: Walk): void {
  const [, other = ''] = folders;
  const isThere = world.folders.includes(other);
  world.folders = isThere ? folders.slice(0, 1) : folders;
  const one = [{ uri: other, name: other }];
  const event = { added: isThere ? [] : one, removed: isThere ? one : [] };
  tell('folders', event, () => client.notify('workspace/didChangeWorkspaceFolders', { event }));
}
