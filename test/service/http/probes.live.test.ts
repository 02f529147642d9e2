import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../server/service/ground/log.ts';
import { probeFilesIn } from '../../../server/service/http/probeFiles.ts';
import { createProbes, type ProbeFile, probeRoutes } from '../../../server/service/http/probes.ts';
import { ask, recordLog, serve } from '../../support/processes/http.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const day = 86_400_000;

function setUp() {
  const clock = { time: start, set: 0, now: () => clock.time + clock.set, steady: () => clock.time };
  const written: string[] = [];
  const files = {
    write: (name: ProbeFile, content: string) => written.push(`${name} ${content}`),
    remove: (name: ProbeFile) => written.push(`- ${name}`),
  };
  return { clock, written, probes: createProbes({ clock, files }) };
}

describe('probes over HTTP', () => {
  type Step = 'ready' | 'unready' | 'touch' | number;

  test.each<[string, boolean, readonly Step[], readonly [number, number, number]]>([
    ['still starting', true, [], [400, 200, 400]],
    ['ready', true, ['ready'], [200, 200, 200]],
    ['no longer ready', true, ['ready', 'unready'], [200, 200, 400]],
    ['silent for slightly less than the limit', true, ['ready', 9_999], [200, 200, 200]],
    ['silent for too long', true, ['ready', 10_000], [200, 400, 200]],
    ['active again after silence', true, ['ready', 10_000, 'touch'], [200, 200, 200]],
    ['silent because it does not replicate', false, ['ready', 60_000], [200, 200, 200]],
  ])('have the right status for a process that is %s', async (_, replicates, steps, statuses) => {
    const { probes, clock } = setUp();
    const server = await serve(probeRoutes(probes, replicates, clock));
    for (const step of steps) {
      if (step === 'ready') probes.becomeReady();
      else if (step === 'unready') probes.becomeUnready();
      else if (step === 'touch') probes.touch();
      else clock.time += step;
    }
    const statusOf = async (path: string) => (await ask(server, { path: `/probes/${path}` })).status;
    expect([await statusOf('startup'), await statusOf('liveness'), await statusOf('readiness')]).toEqual(
      statuses,
    );
  });

  test.each([
    ['ahead', day],
    ['back', -day],
  ])('show whether a process works or hangs even if its clock is set %s by a day', async (_, set) => {
    const { probes, clock } = setUp();
    const server = await serve(probeRoutes(probes, true, clock));
    const liveness = async () => (await ask(server, { path: '/probes/liveness' })).status;
    probes.becomeReady();
    clock.set = set;
    expect(await liveness()).toBe(200);
    clock.time += 10_000;
    expect(await liveness()).toBe(400);
    probes.touch();
    expect(await liveness()).toBe(200);
  });

  test('have the state as their body', async () => {
    const { probes, clock } = setUp();
    const server = await serve(probeRoutes(probes, true, clock));
    probes.becomeReady();
    const { json } = await ask(server, { path: '/probes/liveness' });
    expect(json).toEqual({ ready: true, started: true, touched_at: '2026-01-01T00:00:00.000Z' });
  });
});

test('a standby process is ready, and its probe reports that it is a standby', async () => {
  const { probes, clock } = setUp();
  const server = await serve(probeRoutes(probes, true, clock, () => true));
  probes.becomeReady();
  const { status, json } = await ask(server, { path: '/probes/readiness' });
  expect([status, json]).toEqual([200, expect.objectContaining({ ready: true, standby: true })]);
});

describe('probes as files', () => {
  test('contain the time, and are not written at every touch', () => {
    const { probes, clock, written } = setUp();
    probes.becomeReady();
    for (let i = 0; i < 1000; i++) probes.touch();
    clock.time += 1000;
    probes.touch();
    probes.becomeUnready();
    expect(written).toEqual([
      `startup ${start}`,
      `ready ${start}`,
      `poll ${start}`,
      `poll ${start + 1000}`,
      '- ready',
    ]);
  });

  test('are also written after the clock was set back', () => {
    const { probes, clock, written } = setUp();
    probes.becomeReady();
    clock.set = -day;
    clock.time += 1000;
    probes.touch();
    expect(written.at(-1)).toBe(`poll ${start - day + 1000}`);
  });

  test('are in a folder that is created for them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'probes-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const probes = createProbes({
      clock: { now: () => start, steady: () => 0 },
      files: probeFilesIn(join(folder, '.probes'), silentLog),
    });
    probes.becomeReady();
    expect(readdirSync(join(folder, '.probes')).sort()).toEqual(['poll', 'ready', 'startup']);
    expect(readFileSync(join(folder, '.probes', 'poll'), 'utf8')).toBe(String(start));
    probes.becomeUnready();
    expect(readdirSync(join(folder, '.probes')).sort()).toEqual(['poll', 'startup']);
  });

  test('that cannot be written are only logged', () => {
    const log = recordLog();
    const file = fileURLToPath(import.meta.url);
    createProbes({
      clock: { now: () => start, steady: () => 0 },
      files: probeFilesIn(join(file, 'folder'), log),
    }).becomeReady();
    expect(log.lines[0]).toMatchObject({ level: 'debug' });
  });
});
