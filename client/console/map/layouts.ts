/** Requests layouts without blocking the page. Of several requests, only the last is answered. */
import type { LayoutAnswer, LayoutQuestion } from './layout.ts';
import type { NumberedAnswer } from './layoutWorker.ts';

export interface Layouts {
  /** Requests a layout, which arrives later. */
  ask(question: LayoutQuestion): void;
  end(): void;
}

export function openLayouts(take: (answer: LayoutAnswer) => void): Layouts {
  let latest = 0;
  const takeLatest = ({ number, answer }: NumberedAnswer): void => {
    if (number === latest) take(answer);
  };
  const inPage = async (number: number, question: LayoutQuestion): Promise<void> => {
    const { layOut } = await import('./layoutWorker.ts');
    if (number === latest) takeLatest({ number, answer: layOut(question) });
  };
  let pending: { readonly number: number; readonly question: LayoutQuestion } | undefined;
  let worker = openWorker(
    (answered) => {
      pending = undefined;
      takeLatest(answered);
    },
    () => {
      worker = undefined;
      if (pending) void inPage(pending.number, pending.question);
    },
  );
  return {
    ask(question) {
      latest += 1;
      pending = { number: latest, question };
      if (worker) worker.postMessage(pending);
      else void inPage(latest, question);
    },
    end() {
      latest = -1;
      worker?.terminate();
    },
  };
}

/**
 * Returns undefined if the page cannot have workers, for example in an editor, where the page and its files have different
 * origins.
 */
function openWorker(take: (answered: NumberedAnswer) => void, fail: () => void): Worker | undefined {
  try {
    const worker = new Worker(new URL('./layout.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<NumberedAnswer>) => take(data);
    worker.onerror = (event) => {
      event.preventDefault();
      worker.terminate();
      fail();
    };
    return worker;
  } catch {
    return undefined;
  }
}
