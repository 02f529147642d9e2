/**
 * Requests all addresses again and again, over a new connection each time, until the process is ended. Reports the times on demand, as
 * soon as there is one for each address.
 * The first requests are not measured, because code that has not run yet is slow.
 */
import { get } from 'node:http';

const warmUp = 20;

export interface Probing {
  readonly urls: readonly string[];
  /** The milliseconds between two requests. */
  readonly every: number;
}

const { urls, every } = JSON.parse(process.argv[2] ?? '') as Probing;
/** The response times in milliseconds, for each address. */
const times: number[][] = urls.map(() => []);
for (let count = 0; count < warmUp; count += 1) await Promise.all(urls.map(ask));
process.send?.({ kind: 'ready' });
let since = performance.now();
let isAsked = false;
process.on('message', (message: 'begin again' | 'report') => {
  isAsked = message === 'report';
  if (isAsked) report();
  else beginAgain();
});
process.on('disconnect', () => process.exit());

await Promise.all(
  urls.map(async (url, n) => {
    for (;;) {
      const begun = performance.now();
      const problem = await ask(url);
      if (begun >= since) times[n]?.push(performance.now() - begun);
      report();
      if (problem !== undefined) process.send?.({ kind: 'complaint', complaint: problem });
      await new Promise((resolve) => setTimeout(resolve, every));
    }
  }),
);

function beginAgain(): void {
  since = performance.now();
  for (const each of times) each.length = 0;
}

function report(): void {
  if (!isAsked || times.some(({ length }) => length === 0)) return;
  isAsked = false;
  process.send?.({ kind: 'times', times });
  beginAgain();
}

/** Requests the address. Returns the problem with the answer; undefined if there is none. */
function ask(url: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume();
      response.once('error', (error) => resolve(`A probe was cut off: ${error.message}.`));
      response.once('end', () =>
        resolve(
          response.statusCode === 200 ? undefined : `A probe was answered with ${response.statusCode}.`,
        ),
      );
    });
    request.once('error', (error) => resolve(`A probe was not answered: ${error.message}.`));
  });
}
