/**
 * The loads of the project's scripts while the database runs.
 *
 * 1. Loads take turns, because two loads at the same time would run a script twice.
 * 2. The state is the one after the last load that succeeded.
 * 3. A statement that the process does not survive is recorded, and the database is opened again without it.
 */
import { openTurns } from '../../../shared/turns.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { World } from '../../ground/world.ts';
import type { DatabaseProcess } from './child.ts';
import type { PasswordedConnection, PreparedDatabase } from './prepare.ts';
import { FatalStatement, type FatalStatements } from './scripts/fatalStatements.ts';
import { loadProject, type ProjectState } from './scripts/loadProject.ts';
import type { ScriptRuns } from './scripts/scriptRuns.ts';
import { lookAtFiles, watchScripts } from './scripts/scriptWatch.ts';

interface LoadParts {
  readonly schema: NonNullable<PasswordedConnection['schema']>;
  readonly fatal: FatalStatements;
  readonly world: Pick<World, 'clock' | 'log'>;
  readonly onRun: ScriptRuns['add'];
  /** Opens the database after its process has ended. */
  readonly open: () => Promise<unknown>;
}

export class ProjectLoads {
  readonly #parts: LoadParts;
  readonly #turns = openTurns();
  #state: ProjectState | undefined;

  constructor(parts: LoadParts) {
    this.#parts = parts;
  }

  /** The scripts of the database, or undefined if the service config names none. */
  get state(): ProjectState | undefined {
    return this.#state;
  }

  /** Begins with the first load of a process, and loads scripts that change until the process ends. */
  begin({ process, project, seen }: PreparedDatabase, closing: AbortSignal): void {
    const { schema, world } = this.#parts;
    this.#state = project;
    if (schema.length === 0) return;
    const over = new AbortController();
    process.ended.then(() => over.abort());
    const paths = schema.map(({ path }) => path);
    const onChange = async (): Promise<void> => {
      try {
        await this.load(process, 'as it is');
      } catch (error) {
        // The database continues with the scripts as they were.
        if (!closing.aborted)
          world.log.write('warn', 'Could not run scripts of the project.', {
            error: (error as Error).message,
          });
      }
    };
    const watched = { paths, known: seen, look: lookAtFiles, clock: world.clock, onChange };
    startAlone('Watching the scripts', () => watchScripts(watched, over.signal));
  }

  /** Runs new scripts. Fails if the scripts cannot run. */
  load(process: DatabaseProcess, leftOut: 'as it is' | 'once more'): Promise<void> {
    const { schema, fatal, world, onRun, open } = this.#parts;
    const { log } = world;
    return this.#turns.run(async () => {
      try {
        const loading = { database: process, schema, fatal: fatal.places, log, onRun } as const;
        this.#state = await loadProject({ ...loading, age: 'new', rows: 'none', leftOut });
      } catch (error) {
        if (!(error instanceof FatalStatement)) throw error;
        fatal.add(error);
        log.write('error', error.message);
        await process.ended;
        await open().catch(() => undefined);
      }
    });
  }
}
