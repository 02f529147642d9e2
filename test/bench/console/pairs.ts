/** Whether a service catches up as fast while the console is open: in pairs, one after the other, on the same service. */
import { openStream, pause, processorTime } from '../stage.ts';
import { type ConsoleRig, openConsole } from './rig.ts';

const pairCount = 9;
const rows = 40_000;
const perTransaction = 1_000;

export interface Pair {
  /** Milliseconds until a client has the last row. */
  readonly elapsed: { readonly without: number; readonly beside: number };
  /** Of the service, milliseconds of a processor. */
  readonly processor: { readonly without: number; readonly beside: number };
}

/** The client is of another owner than the device that is looked at, so that what the service sends stays the same. */
export async function measurePairs({ browser, stage }: ConsoleRig): Promise<readonly Pair[]> {
  const client = await openStream(stage.service, 'owner-1');
  await client.completed();
  let turn = 0;
  const stream = async (): Promise<{ elapsed: number; processor: number }> => {
    turn += 1;
    const last = `the last of turn ${turn} of the pairs`;
    const seen = client.saw(last);
    // A backlog, so that what the source takes to write does not hide what the service takes to stream.
    process.kill(stage.service.pid, 'SIGSTOP');
    for (let n = 0; n < rows / perTransaction; n += 1)
      await stage.query(`INSERT INTO items (owner_id, title)
        SELECT 'owner-' || 1 + n % 99, 'A title of some thirty letters ' || n FROM generate_series(1, ${perTransaction}) n`);
    await stage.query(`INSERT INTO items (owner_id, title) VALUES ('owner-1', '${last}')`);
    const before = processorTime(stage.service.pid);
    const start = performance.now();
    process.kill(stage.service.pid, 'SIGCONT');
    await seen;
    return { elapsed: performance.now() - start, processor: processorTime(stage.service.pid) - before };
  };
  const open = await openConsole(browser, stage.service, 'service');
  const address = open.page.url();
  const runs = {
    without: async () => {
      await open.page.goto('about:blank');
      await pause(300);
      return stream();
    },
    beside: async () => {
      await open.page.goto(address);
      await open.page.locator('[data-link="connected"]').waitFor();
      await pause(300);
      return stream();
    },
  };
  await runs.without();
  await runs.beside();
  const pairs: Pair[] = [];
  for (let n = 0; n < pairCount; n += 1) {
    // What comes second finds a table that is larger: each comes second half of the time.
    const [first, second] = n % 2 === 0 ? (['without', 'beside'] as const) : (['beside', 'without'] as const);
    const measured = { [first]: await runs[first](), [second]: await runs[second]() };
    const { without, beside } = measured as Record<
      'without' | 'beside',
      { elapsed: number; processor: number }
    >;
    pairs.push({
      elapsed: { without: without.elapsed, beside: beside.elapsed },
      processor: { without: without.processor, beside: beside.processor },
    });
  }
  client.close();
  await open.close();
  return pairs;
}
