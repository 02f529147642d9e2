import { readAddress } from '../../api/address.ts';
import { command } from '../command.ts';
import { findAddress, instanceOptions } from '../instance.ts';
import type { World } from '../world.ts';

/** The usual timing of container health checks. */
const waiting = { retries: 15, interval: 5 };

interface Verdict {
  readonly isGood: boolean;
  readonly sentence: string;
}

export const probe = command({
  name: 'probe',
  summary: 'Check whether a service is alive, for scripts and containers',
  about: `Calls a probe of the service once, or repeatedly until it succeeds. No token is needed.

Exit code 0: the probe succeeded; 1: it failed, or the service did not answer.`,
  options: {
    ...instanceOptions,
    kind: {
      value: 'KIND',
      choices: ['startup', 'liveness', 'readiness'],
      summary: 'The probe to call (default: liveness)',
    },
    wait: { summary: `Try ${waiting.retries} times, every ${waiting.interval} s` },
    retries: { value: 'N', between: [0, 100_000], summary: 'How many times to try again' },
    interval: { value: 'SECONDS', between: [0, 3600], summary: 'The time between two attempts (default: 5)' },
    timeout: {
      value: 'SECONDS',
      between: [0.01, 3600],
      summary: 'How long to wait for each answer (default: 1)',
    },
  },
  examples: ['probe', 'probe --kind readiness --wait --interval 1 --service http://127.0.0.1:8080'],
  run: async (call) => {
    const { world, progress, number } = call;
    const address = readAddress(await findAddress(call));
    const kind = call.text('kind') ?? 'liveness';
    const url = `${address.origin}${address.prefix}/probes/${kind}`;
    const timeout = (number('timeout') ?? 1) * 1000;
    const interval = (number('interval') ?? waiting.interval) * 1000;
    let left = number('retries') ?? (call.has('wait') ? waiting.retries : 0);
    let verdict = await ask(url, timeout, world);
    for (; !verdict.isGood && left > 0; left -= 1) {
      progress.show(`${verdict.sentence} Trying again …`);
      await world.pause(interval);
      verdict = await ask(url, timeout, world);
    }
    return {
      code: verdict.isGood ? 0 : 1,
      json: { good: verdict.isGood, probe: kind, message: verdict.sentence },
      lines: [verdict.sentence],
    };
  },
});

async function ask(url: string, timeout: number, { fetch, signal }: World): Promise<Verdict> {
  const { host } = new URL(url);
  const limit = AbortSignal.timeout(timeout);
  try {
    const reply = await fetch(url, { signal: AbortSignal.any([signal, limit]), redirect: 'manual' });
    const answer: unknown = await reply.json().catch(() => undefined);
    return judge(host, reply.status, answer);
  } catch {
    signal.throwIfAborted();
    const why = limit.aborted ? `does not answer within ${timeout / 1000} s` : 'cannot be reached';
    return { isGood: false, sentence: `${host} ${why}.` };
  }
}

function judge(host: string, status: number, answer: unknown): Verdict {
  const isProbe = typeof answer === 'object' && answer !== null && 'ready' in answer && 'started' in answer;
  if (isProbe && status === 200) return { isGood: true, sentence: `${host} is healthy.` };
  if (isProbe) return { isGood: false, sentence: `${host} is not healthy, or not ready yet.` };
  if (status === 404)
    return { isGood: false, sentence: `${host} has no such probe, or is not a sync service.` };
  return {
    isGood: false,
    sentence: `${host} answers with status ${status}, which is not the answer of a sync service.`,
  };
}
