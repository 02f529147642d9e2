/**
 * Deploys, breaks, resets and goes back, from two windows, a terminal and `headwater dev`. After each step, all surfaces name the
 * same configs: the lists of both windows, the timeline of the service, `headwater status` and the output of `headwater dev`.
 */
import { mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, openApi } from '../../../client/api/api.ts';
import { fieldsOf, listOf } from '../../../client/api/reading.ts';
import { deployConfig, type Outcome } from '../../../client/deploying/flow.ts';
import {
  askConfigs,
  type History,
  type ListedConfig,
  openHistory,
  rememberOwn,
} from '../../../client/deploying/history.ts';
import { root } from '../../../scripts/root.ts';
import { patient } from '../../../scripts/run/patience.ts';
import { type RunningProcess, startProcess, until } from '../../support/processes/runningProcess.ts';

const program = join(root, 'dist/cli.js');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-journey-')));
const file = join(folder, 'sync.yaml');
const token = 'the-token-of-the-journey';
const target = 'local';

const own = 'WHERE owner = auth.user_id()';
const streams = {
  lists: `SELECT id, name FROM lists ${own}`,
  short: `SELECT id FROM lists ${own}`,
  todos: `SELECT * FROM todos ${own}`,
  large: 'SELECT * FROM large',
};

function textOf(names: readonly (keyof typeof streams)[], remark = ''): string {
  const lines = names.map((name) => `  ${name}: { auto_subscribe: true, query: "${streams[name]}" }\n`);
  return `config: { edition: 3 }\nstreams:\n${lines.join('')}${remark}`;
}

/** A window of the editor, as far as it deploys and remembers. */
interface Window {
  readonly api: Api;
  readonly history: History;
}

let dev: RunningProcess;
let url = '';
let one: Window;
let two: Window;
/** The deployed configs as they should be listed, oldest first. */
const done: { readonly number: number; readonly content: string; readonly by: Window | undefined }[] = [];

function start(...args: readonly string[]): RunningProcess {
  return startProcess(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', PS_ADMIN_TOKEN: token },
  });
}

async function headwater(...args: readonly string[]) {
  const running = start(...args);
  return { status: await running.ended, stdout: running.out(), stderr: running.err() };
}

function openWindow(): Window {
  const values = new Map<string, unknown>();
  const history = openHistory({
    get: <T>(key: string) => values.get(key) as T | undefined,
    update: async (key, value) => void values.set(key, value),
  });
  return { api: openApi({ url, token }), history };
}

async function startDev(): Promise<void> {
  dev = start('dev');
  await until(dev, () => dev.out().includes('is active'));
  url = /is ready at (http:\S+)/.exec(dev.out())?.[1] ?? '';
}

beforeAll(async () => {
  writeFileSync(
    join(folder, 'schema.sql'),
    ['lists', 'todos', 'large']
      .map((name) => `CREATE TABLE ${name} (id int PRIMARY KEY, owner text, name text);\n`)
      .join(''),
  );
  writeFileSync(
    join(folder, 'service.yaml'),
    `port: 0\nreplication: { connections: [{ type: embedded, schema: schema.sql }] }\napi: { tokens: [${token}] }\n`,
  );
  writeFileSync(file, textOf(['lists']));
  await startDev();
  [one, two] = [openWindow(), openWindow()];
});

afterAll(async () => {
  await Promise.all([one, two].map(({ api }) => api.close()));
  dev.child.kill('SIGTERM');
  await dev.ended;
  rmSync(folder, { recursive: true, force: true });
});

/** Deploys in the way of the editor, and returns the outcome with the number of the config. */
async function deployFrom(window: Window, content: string) {
  const { api, history } = window;
  const outcome: Outcome = await deployConfig({
    api,
    content,
    review: async () => undefined,
    lastContent: history.ownContent(target),
    confirm: async () => true,
    onStage: (stage) => {
      if (stage.kind === 'sent')
        void rememberOwn({ sent: stage.sent, content, at: Date.now() }, { history, target });
    },
    policy: { same: 'leave', end: 'active' },
    limits: { pause: { first: 100, longest: 100, growth: 1 }, mostFailures: 3, mostSilences: 100 },
    asks: {},
    hasTime: () => true,
    pause: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    following: new AbortController().signal,
  });
  return { kind: outcome.kind, number: 'sent' in outcome ? outcome.sent.configNumber : undefined };
}

/** Notes a deploy that has just been made. */
function note(number: number | undefined, content: string, by?: Window): void {
  expect(number).toBeGreaterThan(done.at(-1)?.number ?? 0);
  done.push({ number: number ?? 0, content, by });
}

const listIn = (window: Window) => askConfigs(window.api, { history: window.history, target });

const namesOf = (list: readonly ListedConfig[]) =>
  list.map(({ configNumber, content, isOfEarlierStorage }) => ({
    number: configNumber,
    content,
    ...(isOfEarlierStorage && { isOfEarlierStorage }),
  }));

interface Outlook {
  readonly active: number | undefined;
  readonly pending?: number | undefined;
  readonly neverActive?: readonly number[];
}

/** Compares all surfaces with the deploys so far. */
async function expectAgreement({ active, pending, neverActive = [] }: Outlook): Promise<void> {
  const newestFirst = done.toReversed();
  for (const window of [one, two]) {
    const list = await listIn(window);
    expect(namesOf(list)).toEqual(newestFirst.map(({ number, content }) => ({ number, content })));
    expect(list.map(({ state }) => state)).toEqual(
      newestFirst.map(({ number }) =>
        number === active ? 'active' : number === pending ? 'pending' : 'earlier',
      ),
    );
    const unused = list.filter(({ state, hasServed }) => state === 'earlier' && hasServed === false);
    expect(unused.map(({ configNumber }) => configNumber)).toEqual(neverActive);
    expect(list.map(({ isOwn }) => isOwn === true)).toEqual(newestFirst.map(({ by }) => by === window));
  }
  const listed = JSON.parse((await headwater('history', '--json', '--service', url)).stdout) as {
    readonly configs: readonly { readonly configNumber: number; readonly content: string }[];
  };
  expect(listed.configs.map(({ configNumber, content }) => ({ number: configNumber, content }))).toEqual(
    newestFirst.map(({ number, content }) => ({ number, content })),
  );
  const { stdout } = await headwater('status', '--service', url);
  expect(stdout).toMatch(new RegExp(`^Active: config ${active}, deployed `, 'm'));
  expect(/^Copying: config (\d+)/m.exec(stdout)?.[1]).toBe(
    pending === undefined ? undefined : String(pending),
  );
  expect(await deploysInTimeline()).toEqual(done.map(({ number }) => number));
}

/** Returns the numbers of the configs whose deploy is in the timeline of the service. */
async function deploysInTimeline(): Promise<readonly number[]> {
  const { value } = await one.api.ask('POST', '/api/admin/v1/timeline', {});
  return listOf(fieldsOf(fieldsOf(value).data).timeline).flatMap((event) => {
    const { message } = fieldsOf(event);
    const [, number] = /^Config (\d+) was deployed: /.exec(String(message)) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

/** Returns the numbers of the configs that `headwater dev` has reported as active. */
const reportedByDev = () =>
  [...dev.out().matchAll(/^Config (\d+) is active\.$/gm)].map(([, number]) => Number(number));

/** Replaces the file in one step, and waits until `headwater dev` reports another active config. */
async function save(content: string): Promise<number | undefined> {
  const before = reportedByDev().length;
  writeFileSync(`${file}.new`, content);
  renameSync(`${file}.new`, file);
  await until(dev, () => reportedByDev().length > before);
  return reportedByDev().at(-1);
}

async function deployInTerminal(content: string, ...args: readonly string[]) {
  const path = join(folder, 'other.yaml');
  writeFileSync(path, content);
  const { status, stdout, stderr } = await headwater('deploy', path, '--service', url, '--json', ...args);
  rmSync(path);
  const answer = JSON.parse(stdout) as { readonly kind?: string; readonly configNumber?: number };
  return { status, stderr, kind: answer.kind, number: answer.configNumber };
}

const active = () => done.at(-1)?.number;

test('All surfaces agree about deploys, a broken one, resets, going back and a second window', async () => {
  const contents = {
    first: textOf(['lists']),
    remark: textOf(['lists'], '# with a remark\n'),
    more: textOf(['lists', 'todos']),
    short: textOf(['short', 'todos']),
    large: textOf(['short', 'todos', 'large']),
  };
  // 1: `headwater dev` deploys the file.
  note(reportedByDev()[0], contents.first);
  await expectAgreement({ active: active() });
  // 2: nothing has to be copied.
  note((await deployFrom(one, contents.remark)).number, contents.remark, one);
  await expectAgreement({ active: active() });
  expect(await deployFrom(two, contents.remark)).toEqual({ kind: 'unchanged', number: active() });
  // 3: only the new stream is copied.
  note((await deployFrom(two, contents.more)).number, contents.more, two);
  await expectAgreement({ active: active() });
  // 4: `headwater dev` deploys a saved file.
  note(await save(contents.short), contents.short);
  await expectAgreement({ active: active() });
  // 5: a terminal.
  const fifth = await deployInTerminal(contents.more);
  expect(fifth).toMatchObject({ status: 0, kind: 'active' });
  note(fifth.number, contents.more);
  await expectAgreement({ active: active() });
  const worked = active();

  // A config with errors is refused, so the list does not change.
  expect(await deployInTerminal('config: { edition: 3 }\nstreams: 7\n')).toMatchObject({ status: 1 });
  await expectAgreement({ active: worked });

  // 6: the copy of this config does not end.
  const database = new pg.Client({ connectionString: /postgresql:\S+?(?=[.:,]? )/.exec(dev.out())?.[0] });
  await database.connect();
  await database.query(`INSERT INTO large SELECT id, 'ada', 'x' FROM generate_series(1, 20000) AS id`);
  await database.end();
  const sixth = await deployInTerminal(contents.large, '--rate', '1', '--no-wait');
  expect(sixth).toMatchObject({ status: 0, kind: 'sent' });
  note(sixth.number, contents.large);
  await expectAgreement({ active: worked, pending: sixth.number });
  const unused = [sixth.number ?? 0];
  // 7: another deploy replaces it.
  note((await deployFrom(one, contents.first)).number, contents.first, one);
  await expectAgreement({ active: active(), neverActive: unused });

  // A reset of the database and a new copy are not deploys.
  await one.api.resetDatabase('none');
  await expect
    .poll(async () => (await one.api.diagnose()).pending, { timeout: patient(60_000) })
    .toBeUndefined();
  await expectAgreement({ active: active(), neverActive: unused });
  expect(await headwater('reprocess', '--service', url)).toMatchObject({
    status: 0,
    stdout: `Config ${active()} is active.\n`,
  });
  await expectAgreement({ active: active(), neverActive: unused });
  expect(await headwater('reprocess', '--stream', 'lists', '--service', url)).toMatchObject({
    status: 0,
    stdout: `Config ${active()} is active.\n`,
  });
  await expectAgreement({ active: active(), neverActive: unused });

  // 8: the second window goes back to a config that the first one has deployed.
  const listed = (await listIn(two)).find(({ content }) => content === contents.remark);
  note((await deployFrom(two, listed?.content ?? '')).number, contents.remark, two);
  await expectAgreement({ active: active(), neverActive: unused });
  // The terminal prints the same content.
  const shown = await headwater('history', String(done[1]?.number), '--service', url);
  expect(shown.stdout).toBe(contents.remark);
  // 9 to 11
  note((await deployFrom(one, contents.short)).number, contents.short, one);
  await expectAgreement({ active: active(), neverActive: unused });
  note(await save(contents.more), contents.more);
  await expectAgreement({ active: active(), neverActive: unused });
  const eleventh = await deployInTerminal(contents.first);
  note(eleventh.number, contents.first);
  await expectAgreement({ active: active(), neverActive: unused });
  expect((await headwater('diff', file, '--service', url)).stdout).toContain(
    `--- config ${eleventh.number}\n`,
  );
  // 12: `headwater reset` restarts the service and deploys the file. The timeline begins again.
  const reset = await headwater('reset', '--json');
  expect(reset.status).toBe(0);
  note((JSON.parse(reset.stdout) as { readonly configNumber: number }).configNumber, contents.more);
  expect(done).toHaveLength(12);
  expect(namesOf(await listIn(one))).toEqual(
    done.toReversed().map(({ number, content }) => ({ number, content })),
  );
  expect((await headwater('status', '--service', url)).stdout).toContain(
    `Active: config ${active()}, deployed `,
  );

  // The service has no storage any more, so its numbers begin again. The window keeps the earlier configs, below the new one.
  dev.child.kill('SIGTERM');
  await dev.ended;
  rmSync(join(folder, '.headwater'), { recursive: true });
  const before = namesOf(await keptBy(one));
  await startDev();
  const again = openApi({ url, token });
  const list = await askConfigs(again, { history: one.history, target });
  await again.close();
  expect(namesOf(list.slice(0, 1))).toEqual([{ number: 1, content: contents.more }]);
  expect(namesOf(list.slice(1))).toEqual(before.map((each) => ({ ...each, isOfEarlierStorage: true })));
  expect(reportedByDev()).toEqual([1]);
});

/** Returns the configs that a window remembers, newest first. */
async function keptBy({ history }: Window): Promise<readonly ListedConfig[]> {
  const silent = {
    diagnose: async () => ({ at: 0, sources: [] }),
    deployedConfigs: async () => undefined,
  };
  return askConfigs(silent, { history, target });
}
