/** The layout as a separate file. It runs in a worker, or in the page if the host allows no workers. */
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

/** The part of a worker's global scope that the layout needs. */
interface WorkerWorld {
  onmessage: ((event: { readonly data: NumberedQuestion }) => void) | null;
  postMessage(answer: NumberedAnswer): void;
}

if (typeof document === 'undefined' && 'postMessage' in globalThis) {
  const world = globalThis as unknown as WorkerWorld;
  world.onmessage = ({ data: { number, question } }) =>
    world.postMessage({ number, answer: layOut(question) });
}
