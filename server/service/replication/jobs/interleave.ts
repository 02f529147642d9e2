import type { Clock } from '../../ground/world.ts';

interface Turns {
  readonly clock: Clock;
  /** The length of a turn in milliseconds. Work that begins in a turn is completed. */
  readonly length: number;
  /** The first sequence is behind if it has always had items for `after` milliseconds. Its turns then have a different length. */
  readonly behind: { readonly after: number; readonly length: number };
  /** Whether something waits for the end of work that the first sequence has begun. */
  readonly isAwaited: () => boolean;
  /** Stops the other sequence. */
  readonly stopOther: () => void;
}

/**
 * Combines two sequences into one, in turns, because switching between them may be expensive. A turn of the other sequence begins
 * with one of its items, and items of the first sequence wait until the turn is over. Then the first one continues while it is
 * awaited and has more items, but no longer than a turn. If that is not enough for all of its items, it gets longer turns until
 * it has no more, because otherwise its queue would keep growing. If the other sequence has no items, items of the first one are
 * returned immediately. An item is requested when the previous one has been used. The result ends with the first sequence.
 */
export async function* interleave<One, Other>(
  one: AsyncIterable<One>,
  other: AsyncIterable<Other>,
  { clock, length, behind, isAwaited, stopOther }: Turns,
): AsyncGenerator<One | Other, void> {
  let wake = () => {};
  const first = ask(one, () => wake());
  const second = ask(other, () => wake());
  let turn: { readonly of: Supply<One | Other>; readonly begun: number } = {
    of: first,
    begun: clock.steady(),
  };
  /** The time at which the first sequence last had no item. */
  let emptyAt = clock.steady();
  const isBehind = () => clock.steady() - emptyAt >= behind.after;
  /** Returns the remaining milliseconds of the turn. */
  const restOfTurn = () => {
    const gone = clock.steady() - turn.begun;
    const whole = turn.of === first && isBehind() ? behind.length : length;
    return Math.max(0, whole - gone);
  };
  const next = (): Supply<One | Other> => {
    if (first.answer === undefined) emptyAt = clock.steady();
    const goesOn = restOfTurn() > 0;
    if (turn.of === second && goesOn && !second.isOver) return second;
    if (turn.of === first && goesOn && first.answer !== undefined && (isAwaited() || isBehind()))
      return first;
    const isSeconds = turn.of === first ? second.answer !== undefined : first.answer === undefined;
    return isSeconds ? second : first;
  };
  /** Waits until one of the sequences has an item, or until the end of the turn for which the first one waits. */
  const rest = async () => {
    const stop = new AbortController();
    const waking = new Promise<void>((resolve) => {
      wake = resolve;
    });
    await (first.answer === undefined
      ? waking
      : Promise.race([waking, clock.sleep(restOfTurn(), stop.signal)]));
    stop.abort();
  };
  try {
    while (!first.isOver) {
      const supply = next();
      const { answer } = supply;
      if (answer === undefined) {
        await rest();
        continue;
      }
      if (answer.kind === 'failure') throw answer.error;
      if (turn.of !== supply) turn = { of: supply, begun: clock.steady() };
      yield answer.item;
      supply.next();
      // The first sequence needs a turn of the event loop to show whether it has more items.
      if (supply === first) await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    stopOther();
    await Promise.all([first.end(), second.end()]);
  }
}

type Answer<Item> =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'failure'; readonly error: unknown };

interface Supply<Item> {
  readonly answer: Answer<Item> | undefined;
  /** Whether the sequence has ended. */
  readonly isOver: boolean;
  next(): void;
  end(): Promise<void>;
}

function ask<Item>(items: AsyncIterable<Item>, onAnswer: () => void): Supply<Item> {
  const iterator = items[Symbol.asyncIterator]();
  let answer: Answer<Item> | undefined;
  let isOver = false;
  let asking: Promise<void> = Promise.resolve();
  const take = (found: Answer<Item> | undefined) => {
    answer = found;
    isOver = found === undefined;
    onAnswer();
  };
  const next = () => {
    answer = undefined;
    asking = iterator.next().then(
      ({ done, value }) => take(done ? undefined : { kind: 'item', item: value }),
      (error: unknown) => take({ kind: 'failure', error }),
    );
  };
  next();
  return {
    get answer() {
      return answer;
    },
    get isOver() {
      return isOver;
    },
    next,
    end: async () => {
      await asking;
      await iterator.return?.();
    },
  };
}
