/** Runs the state machine of the local service: reads its record, checks whether it answers, and applies effects. */

import { t } from '../l10n.ts';
import { type LocalEvent, type LocalState, step } from './machine.ts';
import { isKept, type ServiceRecord, urlOf } from './record.ts';

export interface LocalWorld {
  readonly now: () => number;
  /** Calls back repeatedly. Returns a function that stops this. */
  readonly every: (milliseconds: number, call: () => void) => () => void;
  readonly record: () => ServiceRecord | undefined;
  readonly isAlive: (pid: number) => boolean;
  /** Whether a service at this address answers with our token. */
  readonly answers: (url: string) => Promise<boolean>;
  /** Starts a process that writes a new record; rejects with a sentence. */
  readonly launch: () => Promise<void>;
  readonly want: () => void;
  readonly wantStill: () => void;
  readonly release: () => void;
  readonly report: (sentence: string) => void;
}

export interface LocalProcess {
  readonly state: () => LocalState;
  readonly send: (event: Extract<LocalEvent, { kind: 'start' | 'stop' | 'restart' }>['kind']) => void;
  readonly dispose: () => void;
}

/** The pauses between two checks, in milliseconds. */
const looks = { hasty: 250, calm: 2_000 };
/**
 * The maximum waiting times in milliseconds. The service is normally ready within three seconds, and always stops within 30
 * seconds.
 */
const patience = { starting: 60_000, stopping: 40_000 };

export function runLocal(world: LocalWorld, onState: (state: LocalState) => void): LocalProcess {
  let state: LocalState = { kind: 'looking' };
  let since = world.now();
  let isLooking = false;
  let isLaunching = false;
  let pace = 0;
  let stopLooking = (): void => {};

  function dispatch(event: LocalEvent): void {
    const { state: following, effect } = step(state, event);
    const isNew = following.kind !== state.kind;
    state = following;
    if (isNew) since = world.now();
    if (effect === 'launch') void launch();
    if (effect === 'release') world.release();
    if (effect === 'report' && following.kind === 'failed') world.report(following.sentence);
    if (isNew) onState(following);
    setPace();
  }

  async function launch(): Promise<void> {
    isLaunching = true;
    try {
      const record = world.record();
      world.want();
      const runs =
        isKept(record, world.isAlive) &&
        (record.state === 'starting' || (await world.answers(urlOf(record))));
      if (!runs) await world.launch();
    } catch (error) {
      dispatch({ kind: 'ended', sentence: (error as Error).message, ranFor: 0 });
    } finally {
      isLaunching = false;
    }
  }

  async function look(): Promise<void> {
    if (isLooking || isLaunching) return;
    isLooking = true;
    const seen = state;
    try {
      const event = await observe(seen);
      if (event !== undefined && state === seen) dispatch(event);
    } finally {
      isLooking = false;
    }
  }

  async function observe(seen: LocalState): Promise<LocalEvent | undefined> {
    const record = world.record();
    const runs = isKept(record, world.isAlive);
    const lasted = world.now() - since;
    switch (seen.kind) {
      case 'looking':
        if (!runs) return { kind: 'absent' };
        if (record.state === 'ready')
          return (await world.answers(urlOf(record)))
            ? { kind: 'ready', url: urlOf(record) }
            : { kind: 'absent' };
        return lasted > patience.starting ? { kind: 'absent' } : undefined;
      case 'starting':
        if (runs && record.state === 'ready' && (await world.answers(urlOf(record))))
          return { kind: 'ready', url: urlOf(record) };
        if (!runs && record !== undefined) return endOf(record, lasted);
        return lasted > patience.starting ? { kind: 'overdue' } : undefined;
      case 'running':
        if (!runs) return endOf(record, lasted);
        world.wantStill();
        return undefined;
      case 'stopping':
        if (!runs) return endOf(record, lasted);
        return lasted > patience.stopping ? { kind: 'overdue' } : undefined;
      case 'off':
      case 'failed':
        return undefined;
    }
  }

  function setPace(): void {
    const idle = state.kind === 'off' || state.kind === 'failed';
    const wanted = idle ? 0 : state.kind === 'running' ? looks.calm : looks.hasty;
    if (wanted === pace) return;
    stopLooking();
    pace = wanted;
    stopLooking = wanted === 0 ? () => {} : world.every(wanted, () => void look());
  }

  setPace();
  void look();
  return {
    state: () => state,
    send: (kind) => dispatch({ kind }),
    dispose: () => stopLooking(),
  };
}

function endOf(record: ServiceRecord | undefined, ranFor: number): LocalEvent {
  const sentence =
    record?.state === 'ended' ? record.sentence : t('The process of the local service has ended.');
  return { kind: 'ended', sentence, ranFor };
}
