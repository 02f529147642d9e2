/**
 * Two sequences as one, in the order in which their items come; of two that wait, the one whose turn it is. An item is asked
 * for when the one before it has been used. Ends with the first sequence.
 *
 * @param stopOther the other one ends, too
 */
export async function* interleave<One, Other>(
  one: AsyncIterable<One>,
  other: AsyncIterable<Other>,
  stopOther: () => void,
): AsyncGenerator<One | Other, void> {
  let wake = () => {};
  const first = ask(one, () => wake());
  const second = ask(other, () => wake());
  let isSecondsTurn = false;
  try {
    for (;;) {
      const isReady = (supply: Supply<One | Other>) => supply.answer !== undefined;
      const isSecond: boolean = isReady(second) && (isSecondsTurn || !isReady(first));
      const ready: Supply<One | Other> | undefined = isSecond ? second : isReady(first) ? first : undefined;
      if (ready === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const { answer } = ready;
      if (answer?.kind === 'failure') throw answer.error;
      if (answer?.kind === 'item') {
        isSecondsTurn = ready === first;
        yield answer.item;
        ready.next();
      } else if (ready === first) return;
      else ready.rest();
    }
  } finally {
    stopOther();
    await Promise.all([first.end(), second.end()]);
  }
}

type Answer<Item> =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'end' }
  | { readonly kind: 'failure'; readonly error: unknown };

interface Supply<Item> {
  readonly answer: Answer<Item> | undefined;
  next(): void;
  /** Has no answer any more. */
  rest(): void;
  end(): Promise<void>;
}

function ask<Item>(items: AsyncIterable<Item>, onAnswer: () => void): Supply<Item> {
  const iterator = items[Symbol.asyncIterator]();
  let answer: Answer<Item> | undefined;
  let asking: Promise<void> = Promise.resolve();
  const take = (found: Answer<Item>) => {
    answer = found;
    onAnswer();
  };
  const next = () => {
    answer = undefined;
    asking = iterator.next().then(
      ({ done, value }) => take(done ? { kind: 'end' } : { kind: 'item', item: value }),
      (error: unknown) => take({ kind: 'failure', error }),
    );
  };
  next();
  return {
    get answer() {
      return answer;
    },
    next,
    rest: () => {
      answer = undefined;
    },
    end: async () => {
      await asking;
      await iterator.return?.();
    },
  };
}
