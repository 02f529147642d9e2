import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deployAtStart } from '../../../server/service/deployments/deployAtStart.ts';
import type { Deployer } from '../../../server/service/deployments/deployer.ts';
import { ServiceError } from '../../../server/service/ground/errors.ts';
import { recordLog } from '../../support/processes/http.ts';

/** A deployer that refuses the content `wrong`, and the calls that it got. */
function createDeployer() {
  const calls: string[] = [];
  const deployer = {
    configure: async (content: string) => {
      calls.push(`configure ${content}`);
      if (content === 'wrong') throw new ServiceError('SVC_R0001', 'It has errors.');
      if (content === 'broken') throw new Error('a mistake');
    },
    configureInvalid: async (content: string) => {
      calls.push(`configure invalid ${content}`);
    },
  };
  return { calls, deployer: deployer as unknown as Deployer };
}

const missing = { path: join(tmpdir(), 'headwater-no-such-folder', 'sync-config.yaml') };
const origin = 'The sync config';

test('a config is deployed', async () => {
  const { calls, deployer } = createDeployer();
  const settings = { origin, from: { content: 'right' }, exitOnError: false };
  expect(await deployAtStart(settings, deployer, recordLog())).toBe('right');
  expect(calls).toEqual(['configure right']);
});

test('a config with errors is stored, and reported', async () => {
  const { calls, deployer } = createDeployer();
  const log = recordLog();
  const settings = { origin, from: { content: 'wrong' }, exitOnError: false };
  expect(await deployAtStart(settings, deployer, log)).toBe('wrong');
  expect(calls).toEqual(['configure wrong', 'configure invalid wrong']);
  expect(log.lines).toMatchObject([{ level: 'error' }]);
});

test.each([
  ['that is missing', missing, 'The file does not exist.'],
  ['that is a folder', { path: tmpdir() }, 'The file cannot be read (EISDIR).'],
])('a file %s is reported, and the service continues', async (_, from, reason) => {
  const { calls, deployer } = createDeployer();
  const log = recordLog();
  expect(await deployAtStart({ origin, from, exitOnError: false }, deployer, log)).toBeUndefined();
  expect(calls).toEqual([]);
  expect(log.lines[0]?.message).toContain(`${origin} cannot be deployed.`);
  expect(log.lines[0]?.message).toContain(reason);
});

test('the service stops instead, if the settings say so', async () => {
  const { calls, deployer } = createDeployer();
  const settings = { origin, from: missing, exitOnError: true };
  await expect(deployAtStart(settings, deployer, recordLog())).rejects.toMatchObject({ code: 'SVC_S3201' });
  await expect(
    deployAtStart({ ...settings, from: { content: 'wrong' } }, deployer, recordLog()),
  ).rejects.toMatchObject({ code: 'SVC_R0001' });
  expect(calls).toEqual(['configure wrong']);
});

test('a failure that is not an error of the config is not hidden', async () => {
  const settings = { origin, from: { content: 'broken' }, exitOnError: false };
  await expect(deployAtStart(settings, createDeployer().deployer, recordLog())).rejects.toThrow('a mistake');
});
