/** Asks the service for the answer that a screen shows. */
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { keyOfConfig } from '../../api/deployedConfig.ts';
import { useConsole } from '../console.ts';
import { CallFailure } from '../link/transport.ts';

export type AskedAnswer<T> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'failed'; readonly why: string };

/**
 * Returns the answer. Asks when the screen is opened, on request, after another config becomes active, and when the service
 * returns.
 */
export function useAnswer<T>(
  path: string,
  read: (value: unknown) => T | undefined,
): { readonly answer: Signal<AskedAnswer<T>>; readonly askAgain: () => void } {
  const { transport, service } = useConsole();
  const serving = keyOfConfig(service.diagnosis.value?.active);
  const returns = service.returns.value;
  const answer = useSignal<AskedAnswer<T>>({ kind: 'waiting' });
  const turn = useSignal(0);
  useEffect(() => {
    const over = new AbortController();
    answer.value = { kind: 'waiting' };
    transport.call('POST', path, {}, over.signal).then(
      (value) => {
        const found = read(value);
        if (over.signal.aborted) return;
        answer.value =
          found === undefined ? { kind: 'failed', why: unknownForm } : { kind: 'read', value: found };
      },
      (error: unknown) => {
        if (over.signal.aborted) return;
        answer.value = { kind: 'failed', why: explain(error) };
      },
    );
    return () => over.abort();
  }, [path, turn.value, serving, returns]);
  return {
    answer,
    askAgain: () => {
      turn.value += 1;
    },
  };
}

const unknownForm = 'The service answered in an unknown format.';

function explain(error: unknown): string {
  if (!(error instanceof CallFailure)) return 'The request failed.';
  return error.kind === 'absent' ? 'This service does not report this information.' : error.message;
}
