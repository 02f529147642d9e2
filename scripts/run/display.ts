/** The output of `npm test`: a line for each finished file and, on a terminal, the running files below. */
import type { Progress } from './progress.ts';
import { duration, verdictLine } from './report.ts';

interface Screen {
  write(text: string): void;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The maximum number of lines for a failure: the name of the test and the start of its error. */
const linesOfFailure = 8;
const longestLine = 300;

export class Display {
  readonly #screen: Screen;
  readonly #now: () => number;
  readonly #began: number;
  /** The running files, each with its suite. */
  readonly #running = new Set<string>();
  readonly #times = new Map<string, number>();
  /** The first lines of each failure, to be repeated at the end of a long output. */
  readonly #failures: string[][] = [];
  #expected = 0;
  #secondTries = 0;

  constructor(screen: Screen, now: () => number = () => performance.now()) {
    this.#screen = screen;
    this.#now = now;
    this.#began = now();
  }

  get secondTries(): number {
    return this.#secondTries;
  }

  line(text: string): void {
    if (this.#screen.isTTY) this.#screen.write('\r\x1b[K');
    this.#screen.write(`${text}\n`);
    this.#drawBar();
  }

  /** Shows a report from a suite of Vitest. */
  take(suite: string, progress: Progress): void {
    switch (progress.kind) {
      case 'files':
        this.#expected += progress.count;
        this.#drawBar();
        break;
      case 'started':
        this.#running.add(`${suite}: ${progress.file}`);
        this.#drawBar();
        break;
      case 'test':
        break;
      case 'failure':
        this.line(`\n${progress.text}\n`);
        this.#failures.push(progress.text.split('\n'));
        break;
      case 'ended': {
        const name = `${suite}: ${progress.file}`;
        this.#running.delete(name);
        this.#times.set(name, progress.seconds);
        // Unit tests consist of hundreds of files that take milliseconds each, so only slow or failing files are shown.
        if (progress.tally.failed > 0 || progress.seconds >= 1) this.line(verdictLine({ ...progress, name }));
        else this.#drawBar();
      }
    }
  }

  /** Shows the output of a rig, which prints a line for each test: failures, second tries and finished files. */
  readRig(rig: string): (text: string) => void {
    let rest = '';
    let mark = '✔';
    return (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('  ↻ ')) this.#secondTries += 1;
        // The lines after a failure or a second try explain it, up to the next test.
        const [, next] = /^ {2}([✔–■✖↻]) /.exec(line) ?? [];
        mark = next ?? mark;
        if (next === '✖') this.#failures.push([]);
        if (mark === '✖') this.#failures.at(-1)?.push(`${rig}: ${line.trim()}`);
        if (mark === '✖' || mark === '↻' || /^ {2}■ |^SKIPPED/.test(line))
          this.line(`${rig}: ${line.trim()}`);
      }
    };
  }

  slowest(count: number): readonly string[] {
    const slow = [...this.#times].toSorted(([, one], [, other]) => other - one).slice(0, count);
    return slow.map(([name, time]) => `${duration(time)} ${name}`);
  }

  /** Returns the first lines of each failure. */
  failures(): readonly string[] {
    return this.#failures.flatMap((lines) =>
      lines.slice(0, linesOfFailure).map((line) => line.slice(0, longestLine)),
    );
  }

  #drawBar(): void {
    if (!this.#screen.isTTY) return;
    const done = this.#times.size;
    const passed = (this.#now() - this.#began) / 1000;
    const left = done === 0 ? '' : `, about ${minutes((passed / done) * (this.#expected - done))} left`;
    const text = `${done} of ${this.#expected} files, ${minutes(passed)}${left} · ${[...this.#running].join(' · ')}`;
    this.#screen.write(`\r\x1b[K${text.slice(0, (this.#screen.columns ?? 80) - 1)}`);
  }
}

function minutes(time: number): string {
  return time < 60 ? `${Math.round(time)} s` : `${Math.round(time / 60)} min`;
}
