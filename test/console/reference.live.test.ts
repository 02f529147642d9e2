/** The console with recorded answers of the reference service. It shows only facts that the API of this service reports. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signClientToken } from '../../client/project/clientToken.ts';
import { findBarriers } from '../support/console/axe.ts';
import { findChromium } from '../support/console/console.ts';
import { type EditorConsole, openEditorConsole } from '../support/console/editorConsole.ts';
import {
  openRecordedService,
  type RecordedService,
  recordedToken,
} from '../support/processes/recordedService.ts';

const chromium = await findChromium();
const key = {
  alg: 'HS256',
  k: Buffer.from('a secret of tests').toString('base64url'),
  audience: ['app'],
} as const;

describe.skipIf(chromium === undefined)('The console on the reference service', () => {
  let service: RecordedService;
  let console: EditorConsole;
  let hasKey = true;

  beforeAll(async () => {
    service = await openRecordedService();
    console = await openEditorConsole({
      chromium: chromium ?? '',
      target: () => ({ url: service.url, token: recordedToken }),
      sign: (claims) => (hasKey ? signClientToken(claims, key, Date.now()).token : undefined),
      config: service.config,
    });
  });
  afterEach(() => {
    service.played.diagnostics = 'diagnostics active';
  });
  afterAll(async () => {
    await console?.close();
    await service?.stop();
  });

  const state = () => console.page.getByRole('region', { name: 'State of the service' });
  const told = (text: string | RegExp) => console.page.getByText(text).first().waitFor();

  test('measures ages on the clock of the service, and shows which facts are unknown', async () => {
    await console.show('#/service');
    // The answers were recorded on another day: on the local clock, there has been no progress for months.
    await state().getByText('In sync', { exact: true }).waitFor();
    expect(await state().textContent()).toMatch(/3 tables\./);
    expect(await state().textContent()).not.toMatch(/client|\brows?\b|stream/);
    await told(
      'This service is polled every few seconds. It does not report its history or its connected clients.',
    );
    await told('This service keeps no history, so there are no charts and no events.');
    expect(await console.page.locator('.lane, .event').count()).toBe(0);
    expect(await findBarriers(console.page)).toEqual([]);
  });

  test('shows that the source cannot be reached, and offers no action that cannot help', async () => {
    await console.show('#/service');
    service.played.diagnostics = 'diagnostics source down';
    await state().getByText('Source not reachable').waitFor();
    expect(await state().getByRole('button').count()).toBe(0);
    service.played.diagnostics = 'diagnostics active';
    await state().getByText('In sync', { exact: true }).waitFor();
  });

  test('shows a device over the sync protocol, with the streams of the deployed config', async () => {
    const { page } = console;
    await console.show('#/devices');
    await told('This service does not report who is connected. Enter any user.');
    await console.show('#/devices?user=user1');
    await page.locator('[data-device="live"]').waitFor();
    await page.getByRole('tab', { name: /lists/ }).waitFor();
    await page.getByRole('checkbox', { name: 'list_todos' }).check();
    await page.getByLabel('list_id', { exact: true }).waitFor();
    expect(service.requests).toContain('POST /sync/stream');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('keeps the rows when the token expires, and reconnects with a new token', async () => {
    const { page } = console;
    await console.show('#/devices?user=user1');
    const streams = () => service.requests.filter((each) => each === 'POST /sync/stream').length;
    const before = streams();
    await expect.poll(streams).toBeGreaterThan(before + 1);
    await page.getByRole('tab', { name: /lists/ }).waitFor();
    expect(await page.locator('[data-device="refused"]').count()).toBe(0);
  });

  test('shows that the service does not explain rows, and where to explain them', async () => {
    const { page } = console;
    await console.show('#/devices?user=user1&view=source');
    await told(/This service cannot explain rows\. In VS Code, Headwater: Explain Row/);
    await page.getByRole('button', { name: 'On this device' }).click();
  });

  test('shows what to do if there is no key to sign a token', async () => {
    hasKey = false;
    await console.show('#/devices?user=nobody');
    await told(/there is no key here to sign one/);
    hasKey = true;
  });

  test('shows the error of the service if the service runs no SQL', async () => {
    await console.show('#/data');
    await told('Cannot read the rows of the database');
    await told('relation "nope" does not exist');
    expect(await console.page.getByRole('button', { name: 'New row' }).count()).toBe(0);
    expect(await findBarriers(console.page)).toEqual([]);
  });

  test('shows which lists the service does not report, and lists the reported problems', async () => {
    await console.show('#/slow-and-large');
    await expect
      .poll(() => console.page.getByText('This service does not report this information.').count())
      .toBe(3);
    await told('No problems');
    service.played.diagnostics = 'diagnostics source down';
    await console.page.getByRole('cell', { name: 'connection failed' }).first().waitFor();
    expect(await findBarriers(console.page)).toEqual([]);
  });

  test('shows which token is refused, and continues when the token is accepted', async () => {
    await console.show('#/service');
    service.accepts = false;
    await state().getByText('The service denies the console access').waitFor();
    await told(/Run Headwater: Enter Service Token\./);
    service.accepts = true;
    await state().getByText('In sync', { exact: true }).waitFor();
  });

  test('shows since when the service is gone, and connects again when the service is back', async () => {
    await console.show('#/service');
    await service.stop();
    await state()
      .getByText(/The service has not answered since \d\d:\d\d:\d\d/)
      .waitFor();
    await told(/Last known/);
    await service.start();
    await state().getByText('In sync', { exact: true }).waitFor();
    await told('This service is polled every few seconds.');
  });

  test('shows a running copy, and that no config is deployed', async () => {
    await console.show('#/service');
    service.played.diagnostics = 'diagnostics copying';
    await state().getByText('Copying', { exact: true }).waitFor();
    service.played.diagnostics = 'diagnostics nothing deployed';
    await state().getByText('Nothing deployed').waitFor();
    service.played.stream = 'stream without config';
    await console.show('#/devices?user=user2');
    await told(/No sync config available/);
  });

  test('causes no errors on the page', () => expect(console.complaints).toEqual([]));
});
