/** The layout as a file of its own: it runs in a worker, or, where the host allows none, in the page that loads it. */
import { type LayoutAnswer, type LayoutQuestion, layOut } from './layout.ts';

export { layOut };

export interface NumberedQuestion {
  readonly number: number;
  readonly question: LayoutQuestion;
}

export interface NumberedAnswer {
  readonly number: number;
  readonly answer: LayoutAnswer;
}

/** The part of a worker's world that it needs. */
interface WorkerWorld {
  onmessage: ((event: { readonly data: NumberedQuestion }) => void) | null;
  postMessage(answer: NumberedAnswer): void;
}

if (typeof document === 'undefined' && 'postMessage' in globalThis) {
  const world = globalThis as unknown as WorkerWorld;
  world.onmessage = ({ data: { number, question } }) =>
    world.postMessage({ number, answer: layOut(question) });
}
