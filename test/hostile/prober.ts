/**
 * Requests all addresses again and again, over a new connection each time, until the process is ended. Reports the times on demand.
 * The first requests are not measured, because code that has not run yet is slow.
 */
import { get } from 'node:http';

/** The milliseconds between two requests. A minute has more than 2,000 of them, so some 20 are above the 99th percentile. */
const every = 25;
const warmUp = 20;

const urls = JSON.parse(process.argv[2] ?? '') as readonly string[];
/** The response times in milliseconds, for each address. */
const times: number[][] = urls.map(() => []);
for (let count = 0; count < warmUp; count += 1) await Promise.all(urls.map(ask));
process.send?.({ kind: 'ready' });
let since = performance.now();
process.on('message', (message: 'begin again' | 'report') => {
  if (message === 'report') process.send?.({ kind: 'times', times });
  since = performance.now();
  for (const each of times) each.length = 0;
});
process.on('disconnect', () => process.exit());

await Promise.all(
  urls.map(async (url, n) => {
    for (;;) {
      const begun = performance.now();
      const problem = await ask(url);
      if (begun >= since) times[n]?.push(performance.now() - begun);
      if (problem !== undefined) process.send?.({ kind: 'complaint', complaint: problem });
      await new Promise((resolve) => setTimeout(resolve, every));
    }
  }),
);

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
