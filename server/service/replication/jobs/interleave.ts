import type { Clock } from '../../ground/world.ts';

interface Turns {
  readonly clock: Clock;
  /** Milliseconds of a turn. Whatever begins in it comes to its end. */
  readonly length: number;
  /**
   * The first sequence is behind when it has had something at all times for so many milliseconds. Its turns are longer then.
   */
  readonly behind: { readonly after: number; readonly length: number };
  /** Whether somebody waits for the end of what the first sequence has begun. */
  readonly isAwaited: () => boolean;
  /** Ends the other sequence as well. */
  readonly stopOther: () => void;
}

/**
 * Combines two sequences into one, in turns, because switching between them may cost much. A turn of the other one begins with
 * an item of it, and items of the first one wait until it is over. Then the first one continues while it is awaited and has
 * more, but no longer than a turn. If that is not enough for all of its items, it gets longer turns until it has no more,
 * because otherwise the queue would grow as long as the other one continues. If the other one has nothing, items of the first
 * one come at once. An item is requested when the previous one has been used. Ends with the first sequence.
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
  /** When the first one had nothing. */
  let emptyAt = clock.steady();
  const isBehind = () => clock.steady() - emptyAt >= behind.after;
  /** Milliseconds of the turn. */
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
  /** Waits until one of them has an item, or until the turn is over for which the first one waits. */
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
      // The first supply needs a turn of the event loop to show whether it has more at once.
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
  /** Nothing more comes. */
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
