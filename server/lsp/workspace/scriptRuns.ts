/**
 * The tables of scripts that cannot be read with certainty, because they run code. A database runs such scripts in the background.
 *
 * 1. The same texts run once. While they are running, nothing is known about them.
 * 2. For each list of scripts, only the latest texts run. A run that is no longer wanted is aborted.
 */
import { afterRun, type ScriptSource } from '../../engine/index.ts';
import { inFolder, pathOfUri, type Uri } from '../../shared/uri.ts';
import type { Host } from '../host/host.ts';
import { isSameList } from './tests/latestValues.ts';

interface RunParts {
  readonly host: Pick<Host, 'runScripts' | 'clock'>;
  /** Called when there are new tables. */
  readonly changed: () => void;
}

interface WantedScripts {
  readonly folder: Uri;
  /** The scripts by their paths in the folder. */
  readonly scripts: readonly { readonly path: string; readonly text: string }[];
  /** The files and folders that a database runs, in the folder. */
  readonly paths: readonly string[];
  /** The tables that were read from the scripts. */
  readonly source: ScriptSource;
}

interface ScriptRun {
  readonly texts: readonly string[];
  readonly aborting: AbortController;
  source?: ScriptSource;
}

/** The delay in milliseconds, so that a user who saves several files can finish. */
const pause = 300;

/** The maximum number of lists of scripts. A workspace rarely has several that cannot be read. */
const mostRuns = 8;

export class ScriptRuns {
  readonly #parts: RunParts;
  readonly #runs = new Map<string, ScriptRun>();

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Returns undefined if there is no answer, or not yet. */
  of(wanted: WantedScripts): ScriptSource | undefined {
    const { folder, scripts } = wanted;
    const key = JSON.stringify([folder.key, scripts.map(({ path }) => path)]);
    const texts = scripts.map(({ text }) => text);
    const known = this.#runs.get(key);
    if (known && isSameList(known.texts, texts)) return known.source;
    known?.aborting.abort();
    const run: ScriptRun = { texts, aborting: new AbortController() };
    this.#runs.delete(key);
    this.#runs.set(key, run);
    for (const [oldest, { aborting }] of [...this.#runs].slice(0, -mostRuns)) {
      aborting.abort();
      this.#runs.delete(oldest);
    }
    void this.#begin(run, wanted).catch(() => {});
    return undefined;
  }

  async #begin(run: ScriptRun, { folder, scripts, paths, source }: WantedScripts): Promise<void> {
    const { host, changed } = this.#parts;
    const root = pathOfUri(folder);
    if (host.runScripts === undefined || root === undefined) return;
    await host.clock.wait(pause);
    const { signal } = run.aborting;
    if (signal.aborted) return;
    const schema = paths.flatMap((name) => {
      const uri = inFolder(folder, name);
      const path = uri && pathOfUri(uri);
      return path === undefined ? [] : [{ path, name, folder: root }];
    });
    const answer = await host.runScripts(schema, signal);
    if (answer === undefined || signal.aborted) return;
    const known = afterRun({ scripts, source }, answer, (path) => path);
    if (known === undefined) return;
    run.source = known;
    changed();
  }
}
