/** Asks a service for its state, without waiting long for a service that is frozen or gone. */
import type { Diagnosis } from '../api/answers.ts';
import type { Api, DiagnoseOptions } from '../api/api.ts';
import { isFailure } from '../api/failure.ts';
import { pollEvery } from './health.ts';

/**
 * Returns the state. Fails as `slow` if the service has not answered anything for the interval of a poll. A slow service answers a
 * probe in the meantime, so it gets the whole timeout of the call.
 */
export async function diagnoseInTime(
  api: Pick<Api, 'diagnose' | 'signOfLife'>,
  asked: DiagnoseOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<Diagnosis> {
  const over = new AbortController();
  const bounds = AbortSignal.any([signal, over.signal]);
  const report = api.diagnose(asked, bounds);
  const silence = new Promise<never>((_, reject) => {
    api.signOfLife(pollEvery, bounds).catch((error: unknown) => {
      if (isFailure(error, 'slow')) reject(error);
    });
  });
  try {
    return await Promise.race([report, silence]);
  } finally {
    over.abort();
  }
}
