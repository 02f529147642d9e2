import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Api, openApi } from '../../../client/api/api.ts';
import type { SentConfig } from '../../../client/api/deployedConfig.ts';
import { deployOnce } from '../../../client/deploying/once.ts';
import {
  deploy,
  type ForeignService,
  foreignToken,
  openForeignService,
  textOf,
} from '../../support/processes/foreignService.ts';

const config = 'streams:\n  lists:\n    query: SELECT * FROM lists\n';
const path = '/api/sync-rules/v1/deploy';

let service: ForeignService;
let api: Api;

beforeEach(async () => {
  service = await openForeignService();
  api = openApi({ url: service.url, token: foreignToken });
});

afterEach(async () => {
  await api.close();
  await service.close();
});

async function deployNow(pause: () => Promise<void> = async () => {}): Promise<SentConfig> {
  return deployOnce(api, config, await api.diagnose({ content: true }), { pause, user: 'Ada' });
}

const deploys = () => service.requests.filter((request) => request === `POST ${path}`).length;

describe('A deploy', () => {
  test('returns its slot and its number', async () => {
    expect(await deployNow()).toEqual({ slot: 'powersync_1_a1b2', configNumber: 1 });
    expect(deploys()).toBe(1);
  });

  test('whose answer is lost is found in the diagnosis, and not sent again', async () => {
    service.instead(path, async (request) => {
      deploy(service.state, await textOf(request));
      request.socket.destroy();
    });
    expect(await deployNow()).toEqual({ slot: 'powersync_1_a1b2', configNumber: 1 });
    expect(deploys()).toBe(1);
  });

  test('that timed out in a proxy is found after the service has processed it', async () => {
    service.instead(path, (_, response) => response.writeHead(504).end('<html>Gateway Time-out</html>'));
    let looks = 0;
    const sent = await deployNow(async () => {
      looks += 1;
      if (looks === 3) deploy(service.state, config);
    });
    expect(sent).toEqual({ slot: 'powersync_1_a1b2', configNumber: 1 });
    expect(deploys()).toBe(1);
  });

  test('is found if its text has replaced an equivalent config in the same slot', async () => {
    service.state.active = { slot: 'powersync_7_old', content: `# Before\n${config}` };
    service.instead(path, (request) => {
      service.state.active = { slot: 'powersync_7_old', content: config };
      request.socket.destroy();
    });
    expect(await deployNow()).toEqual({ slot: 'powersync_7_old' });
    expect(deploys()).toBe(1);
  });

  test('is not confused with an earlier deployment of the same config', async () => {
    service.state.active = { slot: 'powersync_7_old', content: config };
    service.instead(path, (request) => request.socket.destroy());
    await expect(deployNow()).rejects.toThrow(/reports no new deployment so far/);
    expect(deploys()).toBe(1);
  });

  test('has an unknown outcome if the diagnosis fails', async () => {
    service.instead(path, (request) => {
      service.instead('/api/admin/v1/diagnostics', (other) => other.socket.destroy());
      request.socket.destroy();
    });
    await expect(deployNow()).rejects.toThrow(/may or may not be deployed/);
    expect(deploys()).toBe(1);
  });

  test('that is refused is not searched for', async () => {
    service.state.fromFile = true;
    await expect(deployNow()).rejects.toMatchObject({ facts: { code: 'S4105' } });
    expect(service.requests.at(-1)).toBe(`POST ${path}`);
  });
});
