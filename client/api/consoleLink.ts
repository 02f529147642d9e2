/** The address at which a browser signs in to the console of a service. It works only once. */
import { dataOf } from './answers.ts';
import { textIn } from './reading.ts';

/** @param base the address of the service */
export function readConsoleLink(value: unknown, base: string): string | undefined {
  const path = textIn(dataOf(value) ?? {}, 'path');
  if (path === undefined || !path.startsWith('/console/#')) return undefined;
  return new URL(path, base).href;
}
