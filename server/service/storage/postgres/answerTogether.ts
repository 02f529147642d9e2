/** Answers questions together that arrive at about the same time. */
import { startAlone } from '../../ground/unattended.ts';

interface BatchRules {
  /** The number of simultaneous batches. Questions that arrive meanwhile wait for the next batch. */
  readonly running: number;
  /** The maximum number of questions in a batch. */
  readonly items: number;
}

interface Question<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Returns a function that asks a question. Each answer is from a run that began after the question, so it is as new as the answer
 * to a separate question. If a batch fails, each of its questions is asked separately, so that one that cannot be answered does
 * not affect the others.
 *
 * @param run only reads, because it may be repeated; returns the answers in the order of the items
 */
export function answerTogether<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
  most: BatchRules,
): (item: Item) => Promise<Answer> {
  const waiting: Question<Item, Answer>[] = [];
  let running = 0;
  let isCalled = false;

  const settle = async (batch: readonly Question<Item, Answer>[]): Promise<void> => {
    try {
      const answers = await run(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const question of batch) await settle([question]);
    }
  };
  const start = (): void => {
    isCalled = false;
    while (running < most.running && waiting.length > 0) {
      running += 1;
      const batch = waiting.splice(0, most.items);
      startAlone('Answering together', async () => {
        await settle(batch);
        running -= 1;
        start();
      });
    }
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      // Questions of the same microtask turn belong to the same batch.
      if (!isCalled) queueMicrotask(start);
      isCalled = true;
    });
}
