import { expect, test } from 'vitest';
import type { Diagnosis } from '../../../client/api/answers.ts';
import type { ReportedConfig } from '../../../client/api/reports/deployedConfigs.ts';
import { headwater } from '../../support/cli/cliWorld.ts';

const at = Date.UTC(2026, 0, 1, 12);

const config = (number: number, state: ReportedConfig['state'], hasServed = true): ReportedConfig => ({
  slot: `powersync_${number}_aaaa`,
  configNumber: number,
  content: `# config ${number}\n`,
  deployedAt: at + number,
  state,
  hasServed,
});

const active = { ...config(7, 'active'), copied: true, tables: [], errors: [] };

function history(
  args: readonly string[],
  reported: readonly ReportedConfig[] | undefined,
  answer: Partial<Diagnosis> = { active },
) {
  const api = {
    diagnose: async (): Promise<Diagnosis> => ({ at, sources: [], ...answer }),
    deployedConfigs: async () => reported,
  };
  return headwater(['history', ...args, '--service', 'http://127.0.0.1:1'], { api });
}

const list = [config(7, 'active'), config(6, 'earlier', false), config(3, 'earlier')];

test('Configs are listed newest first, each with its state', async () => {
  const { code, out } = await history([], list);
  expect(code).toBe(0);
  const states = out.map((line) => line.split(' · ')[0]);
  expect(states).toEqual(['config 7: active', 'config 6: never active', 'config 3: earlier']);
});

test('Programs get the content and the time of each config', async () => {
  const { out } = await history(['--json'], list);
  const { configs } = JSON.parse(out.join('\n')) as { readonly configs: readonly object[] };
  expect(configs).toHaveLength(3);
  expect(configs[1]).toEqual({
    slot: 'powersync_6_aaaa',
    configNumber: 6,
    state: 'earlier',
    deployedAt: '2026-01-01T12:00:00.006Z',
    hasServed: false,
    content: '# config 6\n',
  });
});

test('A number prints that config as it was deployed', async () => {
  expect((await history(['3'], list)).out).toEqual(['# config 3']);
});

test('An unknown number is refused', async () => {
  const { code, err } = await history(['4'], list);
  expect(code).toBe(1);
  expect(err.join('\n')).toContain('no config 4');
});

test('A service without a list shows the configs that it runs', async () => {
  expect((await history([], undefined)).out).toEqual([expect.stringMatching(/^config 7: active · /)]);
  expect((await history([], undefined, {})).out).toEqual(['Nothing has been deployed.']);
});
