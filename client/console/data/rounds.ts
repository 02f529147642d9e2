/**
 * Runs queries in rounds, so that reading takes only a part of the time however often the rows change.
 *
 * 1. Rounds never overlap. Requests of the same moment are combined.
 * 2. A round runs the queries that are due when it begins: those for absent rows, or if no rows are absent, those for outdated
 *    ones. Only outdated rows wait for the end of the pause.
 * 3. Rounds follow each other until no query is due. After a failed round, the next one begins with the next request.
 */

export type Query = () => Promise<void>;

/** The queries for the visible rows that are absent, and for those that are outdated. */
export interface DueQueries {
  readonly absent: readonly Query[];
  readonly outdated: readonly Query[];
}

export interface RoundsClock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

interface RoundsParts {
  /** The pause after a round, as a multiple of the duration of the round. */
  readonly times: number;
  readonly due: () => DueQueries;
  /** Runs the queries of a round. Returns whether the next round may follow. */
  readonly run: (queries: readonly Query[]) => Promise<boolean>;
}

/** The shortest pause, in milliseconds. */
const leastPause = 20;

export class Rounds {
  readonly #clock: RoundsClock;
  readonly #parts: RoundsParts;
  #isRunning = false;
  #isResting = false;
  #restsUntil = 0;

  constructor(clock: RoundsClock, parts: RoundsParts) {
    this.#clock = clock;
    this.#parts = parts;
  }

  async request(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let isWell = true; isWell; ) {
      await Promise.resolve();
      const { absent, outdated } = this.#parts.due();
      if (absent.length > 0) isWell = await this.#runRound(absent);
      else if (outdated.length === 0) break;
      else if (this.#clock.now() >= this.#restsUntil) isWell = await this.#runRound(outdated);
      else {
        void this.#rest();
        break;
      }
    }
    this.#isRunning = false;
  }

  async #runRound(queries: readonly Query[]): Promise<boolean> {
    const begun = this.#clock.now();
    const isWell = await this.#parts.run(queries);
    const end = this.#clock.now();
    this.#restsUntil = end + Math.max(leastPause, this.#parts.times * (end - begun));
    return isWell;
  }

  /** Requests a round after the pause. */
  async #rest(): Promise<void> {
    if (this.#isResting) return;
    this.#isResting = true;
    await this.#clock.sleep(this.#restsUntil - this.#clock.now());
    this.#isResting = false;
    void this.request();
  }
}
