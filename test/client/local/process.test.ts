import { beforeEach, describe, expect, test } from 'vitest';
import type { LocalState } from '../../../client/local/machine.ts';
import { type LocalProcess, type LocalWorld, runLocal } from '../../../client/local/process.ts';
import type { ServiceRecord } from '../../../client/local/record.ts';
import { eventually } from '../../support/house/eventually.ts';

let record: ServiceRecord | undefined;
let alive: Set<number>;
let answering: boolean;
let now: number;
let look: () => void;
let done: string[];
let seen: LocalState['kind'][];
let launch: () => Promise<void>;
let service: LocalProcess;

beforeEach(() => {
  record = undefined;
  alive = new Set();
  answering = true;
  now = 0;
  look = () => {};
  done = [];
  seen = [];
  launch = async () => {
    record = { state: 'starting', keeper: 7 };
    alive.add(7);
  };
});

function open(): void {
  const note = (what: string) => () => void done.push(what);
  const world: LocalWorld = {
    now: () => now,
    every: (_, call) => {
      look = call;
      return () => {
        look = () => {};
      };
    },
    record: () => record,
    isAlive: (pid) => alive.has(pid),
    answers: async () => answering,
    launch: () => {
      done.push('launch');
      return launch();
    },
    want: note('want'),
    wantStill: note('wantStill'),
    release: note('release'),
    report: (sentence) => void done.push(`report: ${sentence}`),
  };
  service = runLocal(world, ({ kind }) => seen.push(kind));
}

const until = (kind: LocalState['kind']) =>
  eventually(() => {
    look();
    expect(service.state().kind).toBe(kind);
  });

function becomeReady(): void {
  record = { state: 'ready', keeper: 7, port: 8080 };
}

function end(): void {
  alive.delete(7);
  record = { state: 'ended', sentence: 'Broken.' };
}

describe('The local service', () => {
  test('is off if no process is running', async () => {
    open();
    await until('off');
    expect(done).toEqual([]);
  });

  test('is adopted if it was running before the window was opened', async () => {
    becomeReady();
    alive.add(7);
    open();
    await until('running');
    expect(done).not.toContain('launch');
  });

  test('is not confused with another program that now has its process id', async () => {
    becomeReady();
    alive.add(7);
    answering = false;
    open();
    await until('off');
  });

  test('starts, is kept alive, and stops', async () => {
    open();
    await until('off');
    service.send('start');
    await eventually(() => expect(record).toBeDefined());
    becomeReady();
    await until('running');
    look();
    await eventually(() => expect(done).toContain('wantStill'));
    service.send('stop');
    expect(done.at(-1)).toBe('release');
    end();
    await until('off');
    expect(seen).toEqual(['off', 'starting', 'running', 'stopping', 'off']);
  });

  test('is restarted after the first crash, and fails with one report after the second', async () => {
    open();
    service.send('start');
    await eventually(() => expect(record).toBeDefined());
    becomeReady();
    await until('running');
    end();
    await until('starting');
    await eventually(() => expect(record).toMatchObject({ state: 'starting' }));
    becomeReady();
    await until('running');
    end();
    await until('failed');
    expect(done.filter((what) => what !== 'want' && what !== 'wantStill')).toEqual([
      'launch',
      'launch',
      'report: Broken.',
    ]);
  });

  test('reports why it cannot be launched, and is not launched again', async () => {
    launch = async () => {
      throw new Error('Port 8080 is in use.');
    };
    open();
    service.send('start');
    await until('failed');
    expect(service.state()).toEqual({ kind: 'failed', sentence: 'Port 8080 is in use.' });
    expect(done).toEqual(['want', 'launch']);
  });

  test('is released if it does not become ready', async () => {
    open();
    service.send('start');
    await eventually(() => expect(record).toBeDefined());
    now += 3_600_000;
    await until('failed');
    expect(done.at(-1)).toBe('release');
  });
});
