import { deepEqual } from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/root.ts';
import { patient } from '../../scripts/run/patience.ts';
import { inConsole } from '../support/editor/consoleFrame.ts';
import { data, localWindow, token } from '../support/editor/localWindow.ts';
import { untilNews } from '../support/editor/news.ts';
import { ownProcesses } from '../support/editor/ownProcesses.ts';
import { shareWorkbench } from '../support/editor/sharedWorkbench.ts';
import { statusItem, untilStatus } from '../support/editor/statusBar.ts';
import {
  linesOf,
  openFile,
  openServiceView,
  pick,
  runCommand,
  serviceRows,
  takeScreenshot,
} from '../support/editor/workbench.ts';
import { startProcess } from '../support/processes/runningProcess.ts';

/** The words of each surface in one state of the service. */
interface Said {
  /** The status bar, with its tooltip. */
  readonly bar: RegExp;
  /** The icon of the config in the tree; absent: there is no config in it. */
  readonly tree?: 'pass' | 'question' | 'warning';
  /** The line about the connection in the console. */
  readonly banner: RegExp;
  /** The title of the state in the console. */
  readonly card: RegExp;
  /** The lag in the console; absent: any. */
  readonly lag?: RegExp;
  /** The summary of the map, and the facts about a table and a stream in it. */
  readonly map: RegExp;
  /** The exit code and a line of `headwater status --check`. */
  readonly status: readonly [number, RegExp];
  /** A line of `headwater doctor`. */
  readonly doctor: RegExp;
}

const states = {
  empty: {
    bar: /^local: nothing deployed/,
    banner: /^Connected · live$/,
    card: /^Nothing deployed$/,
    map: /^2 tables · 2 streams · \d clients?\b.*\| +\| Pending\b/,
    status: [1, /^State: nothing deployed$/m],
    doctor: /^wrong active: No sync config is active\./m,
  },
  healthy: {
    bar: /^local\. Last progress .*Active: config \d/,
    tree: 'pass',
    banner: /^Connected · live$/,
    card: /^In sync$/,
    map: /^2 tables · 2 streams · .* behind the source \| 2 rows \| \d buckets?\b/,
    status: [0, /^State: in sync$/m],
    doctor: /^ok active: Config \d+ is active/m,
  },
  frozen: {
    bar: /^local: (last known|no answer for) \d+ s.*The last answer is \d+ s old\. This was the state then: Last progress/,
    tree: 'question',
    banner: /^Last known \d+ s ago/,
    card: /^The service has not answered since/,
    map: /^2 tables · 2 streams · The service has not answered since .* \| 2 rows \| \d buckets? .*\(old\)$/,
    status: [2, /did not answer within 5 s/],
    doctor: /^wrong service: .*did not answer within 5 s/m,
  },
  'the database hangs': {
    bar: /^local: source does not answer.*(embedded database \(\d+\)|The source) has not answered for \d+ s/,
    tree: 'question',
    banner: /^Connected · source does not answer$/,
    card: /^Source does not answer$/,
    lag: /^unknown$/,
    map: /^2 tables · 2 streams · .*Source does not answer \| state unknown \|/,
    status: [1, /^State: source does not answer$/m],
    doctor: /^wrong active: The (source|process of the embedded database \(\d+\)) has not answered/m,
  },
  'the files have changed': {
    bar: /^local: schema\.sql changed after it was applied/,
    tree: 'pass',
    banner: /^Connected · live$/,
    card: /^In sync, but 1 problem$/,
    map: /^2 tables · 2 streams · .* behind the source \| 2 rows \|/,
    status: [0, /^State: schema\.sql changed after it was applied$/m],
    doctor: /^ok active: Config \d+ is active/m,
  },
  'a table is missing': {
    bar: /^local: no table todos/,
    tree: 'warning',
    banner: /^Connected · live$/,
    card: /^No table todos$/,
    map: /^3 tables · 2 streams · .* behind the source \| 2 rows \| \d buckets?\b.* \| Show only Missing 1 table, 1 stream\b/,
    status: [1, /^State: no table todos$/m],
    doctor: /^wrong tables: /m,
  },
  'its tables are empty': {
    bar: /^local\. Last progress .*Active: config \d/,
    tree: 'pass',
    banner: /^Connected · live$/,
    card: /^In sync$/,
    map: /^2 tables · 2 streams · .* behind the source \| 0 rows \|/,
    status: [0, /^State: in sync$/m],
    doctor: /^ok active: Config \d+ is active/m,
  },
  off: {
    bar: /^local: off.*The local service is not running/,
    banner: /^local is not running/,
    card: /^No service is available$/,
    map: /^2 tables · 2 streams · No service is available \|[ |]*$/,
    status: [2, /nothing listens there/],
    doctor: /^wrong service: .*nothing listens there/m,
  },
} as const satisfies Readonly<Record<string, Said>>;

/** One session: the service is frozen, hung, killed, changed and reset, and each time all surfaces say the same. */
describe('The state of a service is one', () => {
  const workbench = shareWorkbench('one-state', { ...localWindow, leaves: 'a service' });
  let url = '';

  const headwater = async (command: string, ...args: string[]): Promise<string> => {
    const { folder } = workbench();
    const running = startProcess(
      process.execPath,
      [join(root, 'dist/cli.js'), command, ...args, '--service', url],
      { cwd: folder, env: { PATH: process.env.PATH ?? '', PS_ADMIN_TOKEN: token } },
    );
    const code = await running.ended;
    return `exit ${code}\n${running.out()}${running.err()}`;
  };

  /** Runs a statement in the source. */
  const sql = async (statement: string): Promise<void> => {
    const [address = ''] =
      /postgresql:\S+/.exec((await linesOf(serviceRows(workbench().page))).join('\n')) ?? [];
    const password = readFileSync(join(data, 'data/source/headwater.password'), 'utf8').trim();
    const database = new URL(address);
    Object.assign(database, { username: 'postgres', password });
    const args = [join(root, 'dist/cli.js'), 'sql', statement, '--database', database.href];
    const env = { PATH: process.env.PATH ?? '' };
    const running = startProcess(process.execPath, args, { cwd: workbench().folder, env });
    if ((await running.ended) !== 0) throw new Error(running.err());
  };

  /** Reads the surfaces that are visible beside each other, next to the screen "Service" of the console. */
  const hear = async () => {
    const { page } = workbench();
    const console = inConsole(page);
    const label = (await statusItem(page).getAttribute('aria-label')) ?? '';
    const config = serviceRows(page).filter({ hasText: 'Active config' });
    const icons = await config
      .first()
      .locator('.custom-view-tree-node-item-icon')
      .evaluateAll((found) => found.map((icon) => icon.className));
    return {
      bar: label.replaceAll(/\s/g, ' ').replace(/^Headwater\. /, ''),
      tree: /codicon-(pass|question|error|warning|sync)\b/.exec(icons.join(' '))?.[1],
      banner: (await console.locator('.banner').allInnerTexts()).join(' ').trim(),
      card: (await console.locator('.state-title').allInnerTexts()).join(' ').trim(),
      lag: (await console.locator('[data-lane="lag"] .value').allInnerTexts()).join(' ').trim(),
    };
  };

  /** Reads the map, and returns to the screen "Service". */
  const hearMap = async (): Promise<string> => {
    const console = inConsole(workbench().page);
    await console.getByRole('link', { name: 'Map', exact: true }).click();
    await console.locator('[data-layout="done"]').waitFor();
    const facts = async (id: string) =>
      (await console.locator(`[data-id="${id}"] .entry-facts`).allInnerTexts())
        .join(' ')
        .replaceAll(/\s+/g, ' ');
    const map = [
      (await console.locator('.map-summary').allInnerTexts()).join(' '),
      await facts('table lists'),
      await facts('stream lists'),
      (await console.locator('.map-marks').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' '),
    ].join(' | ');
    const isOld = (await console.locator('.map-view.old').count()) > 0;
    await console.getByRole('link', { name: 'Service', exact: true }).click();
    await console.locator('.state-title').waitFor();
    return isOld ? `${map} (old)` : map;
  };

  /** Does not draw the map before all other surfaces are right, and then reads these again after it. */
  const differingInEditor = async (expected: Said): Promise<readonly string[]> => {
    const early = differingBesideMap(expected, await hear());
    if (early.length > 0) return early;
    const map = await hearMap();
    return [
      ...(expected.map.test(map) ? [] : [`map: ${map}`]),
      ...differingBesideMap(expected, await hear()),
    ];
  };

  const differingInTerminal = async ({ status: [code, words], doctor }: Said): Promise<readonly string[]> => {
    const [status, checks] = await Promise.all([headwater('status', '--check'), headwater('doctor')]);
    const isRight = status.startsWith(`exit ${code}\n`) && words.test(status);
    return [...(isRight ? [] : [status]), ...(doctor.test(checks) ? [] : [checks])];
  };

  /** Resolves when all surfaces say this state. */
  const untilAgreed = async (state: keyof typeof states): Promise<void> => {
    const expected: Said = states[state];
    const differing = async () => {
      const inEditor = await differingInEditor(expected);
      return inEditor.length > 0 ? inEditor : differingInTerminal(expected);
    };
    const end = Date.now() + patient(60_000);
    let left = await differing();
    while (left.length > 0 && Date.now() < end) {
      await workbench().page.waitForTimeout(500);
      left = await differing();
    }
    await takeScreenshot(workbench().page, `one-state-${state.replaceAll(' ', '-')}`);
    deepEqual(left, []);
  };

  /** Resolves to the first ages, in seconds, with which the status bar and the console call their state old or unknown. */
  const firstAges = async (): Promise<readonly number[]> => {
    const console = inConsole(workbench().page);
    const surfaces = [
      async () => (await statusItem(workbench().page).getAttribute('aria-label')) ?? '',
      async () => (await console.locator('.banner, .state-words').allInnerTexts()).join(' '),
    ];
    const firstAge = async (read: () => Promise<string>): Promise<number> => {
      let age: string | undefined;
      while (age === undefined) {
        await workbench().page.waitForTimeout(200);
        age = /(?:[Ll]ast known|not? answer(?:ed)? for|last answer is)\s(\d+)\ss/.exec(await read())?.[1];
      }
      return Number(age);
    };
    return Promise.all(surfaces.map(firstAge));
  };

  /** Resolves when the tree shows above its rows that they are old, and no row has the icon of a good state. */
  const untilAllRowsAreOld = async (): Promise<void> => {
    const { page } = workbench();
    await page.getByText('This was the state then:').first().waitFor();
    // The sentence above the rows may be drawn a moment before them.
    await serviceRows(page).locator('.codicon-pass, .codicon-sync').first().waitFor({ state: 'detached' });
  };

  const processOf = (program: 'service.js start' | 'database.js'): number => {
    const [id] = ownProcesses(`/dist/${program}`);
    if (id === undefined) throw new Error(`No process runs ${program}.`);
    return id;
  };

  it('while nothing is deployed', async () => {
    const { page } = workbench();
    await openFile(page, 'sync.yaml');
    await runCommand(page, 'Headwater: Start Local Service');
    await pick(page, 'With an embedded database');
    await untilStatus(page, /local: nothing deployed/);
    await openServiceView(page);
    await runCommand(page, 'Headwater: Open Console');
    const console = inConsole(page);
    await console.locator('[data-link="connected"]').waitFor();
    await console.getByRole('link', { name: 'Service', exact: true }).click();
    [url = ''] = /http:\S+/.exec((await linesOf(serviceRows(page))).join('\n')) ?? [];
    await untilAgreed('empty');
  });

  it('when it serves', async () => {
    const { page } = workbench();
    await page.locator('.tab', { hasText: 'sync.yaml' }).first().click();
    await untilNews(page, /Deployed to local/, () => runCommand(page, 'Headwater: Deploy Sync Config'));
    await untilAgreed('healthy');
  });

  for (const [state, programs] of [
    ['frozen', ['service.js start']],
    ['the database hangs', ['database.js']],
    ['frozen', ['service.js start', 'database.js']],
  ] as const)
    it(`when ${programs.join(' and ')} is stopped for a while: ${state}`, async () => {
      const ids = programs.map(processOf);
      for (const id of ids) process.kill(id, 'SIGSTOP');
      try {
        // The surfaces turn grey after a missed poll. A slow machine also delays the timers of the product.
        const late = (await firstAges()).filter((age) => age > patient(7));
        deepEqual(late, []);
        await untilAgreed(state);
        if (state === 'frozen') await untilAllRowsAreOld();
      } finally {
        for (const id of ids) process.kill(id, 'SIGCONT');
      }
      await untilAgreed('healthy');
    });

  it('when its processes were killed, and have started again', async () => {
    for (const program of ['database.js', 'service.js start'] as const) {
      const id = processOf(program);
      process.kill(id, 'SIGKILL');
      while (ownProcesses(`/dist/${program}`).every((found) => found === id))
        await workbench().page.waitForTimeout(100);
      await untilAgreed('healthy');
    }
  });

  it('when the files have changed, and after a reset', async () => {
    const { page, folder } = workbench();
    const schema = join(folder, 'schema.sql');
    writeFileSync(schema, readFileSync(schema, 'utf8').replace('name text', "name text DEFAULT 'x'"));
    await untilAgreed('the files have changed');
    await runCommand(page, 'Headwater: Reset Local Database');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: /Reset/ }).first().click();
    await untilAgreed('healthy');
  });

  it('when a migration takes a table away, and brings it back', async () => {
    await sql('ALTER TABLE todos RENAME TO tasks');
    await untilAgreed('a table is missing');
    await sql('ALTER TABLE tasks RENAME TO todos');
    await untilAgreed('healthy');
  });

  it('when its tables are emptied', async () => {
    await sql('DELETE FROM lists');
    await untilAgreed('its tables are empty');
  });

  it('when it is off', async () => {
    const { page } = workbench();
    await runCommand(page, 'Headwater: Stop Local Service');
    await untilAgreed('off');
  });

  it('when its storage was emptied while it was off', async () => {
    const { page } = workbench();
    rmSync(join(data, 'data'), { recursive: true, force: true });
    await runCommand(page, 'Headwater: Start Local Service');
    await pick(page, 'With an embedded database');
    await untilAgreed('empty');
  });
});

function differingBesideMap(
  { tree, ...expected }: Said,
  said: Readonly<Record<'bar' | 'banner' | 'card' | 'lag', string>> & { readonly tree: string | undefined },
): readonly string[] {
  const texts = (['bar', 'banner', 'card', 'lag'] as const).filter(
    (surface) => expected[surface]?.test(said[surface]) === false,
  );
  return [
    ...texts.map((surface) => `${surface}: ${said[surface]}`),
    ...(said.tree === tree ? [] : [`tree: ${said.tree}`]),
  ];
}
