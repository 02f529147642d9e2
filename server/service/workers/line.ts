/** Calls between two processes over a channel. Each side defines the procedures that the other may call. */
import type { ProcessChannel } from './channel.ts';
import { failureOfPlain, type PlainFailure, plainFailure } from './failures.ts';

/** The procedures that the other side may call. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of each are known where it is called.
type Procedures<All> = { readonly [Name in keyof All]: (...args: any[]) => unknown };

export interface ProcessLine<Theirs extends Procedures<Theirs>> {
  /** Calls a procedure. Fails if the procedure fails, or when the other process has ended. */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    ...args: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>;
  /** Calls a procedure without waiting for an answer. */
  tell<Name extends keyof Theirs & string>(name: Name, ...args: Parameters<Theirs[Name]>): void;
  /** Adds a listener, which is called for each message. */
  onSign(listener: () => void): void;
  /** Called when the other process has ended. Questions without an answer fail. */
  end(): void;
}

type Message =
  | { readonly kind: 'ask'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'tell'; readonly name: string; readonly args: readonly unknown[] }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: PlainFailure };

interface Question {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

export function openLine<Mine extends Procedures<Mine>, Theirs extends Procedures<Theirs>>(
  channel: ProcessChannel,
  mine: Mine,
): ProcessLine<Theirs> {
  const questions = new Map<number, Question>();
  const signs: (() => void)[] = [];
  let last = 0;
  let isOver = false;
  const send = (message: Message): void => {
    if (!isOver) channel.send(message);
  };
  const call = async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const procedure = Object.hasOwn(mine, name) ? mine[name as keyof Mine] : undefined;
    if (procedure === undefined) throw new Error(`There is no procedure ${name}.`);
    return procedure(...args);
  };
  const answer = (id: number, name: string, args: readonly unknown[]): void => {
    call(name, args).then(
      (value) => send({ kind: 'answer', id, value }),
      (error: unknown) => send({ kind: 'failure', id, failure: plainFailure(error) }),
    );
  };
  const settle = (id: number): Question | undefined => {
    const question = questions.get(id);
    questions.delete(id);
    return question;
  };
  channel.listen((received) => {
    const message = received as Message;
    for (const sign of signs) sign();
    switch (message.kind) {
      case 'tell':
        // The call is made now, before the next message is read.
        void call(message.name, message.args).catch(() => undefined);
        return;
      case 'ask':
        answer(message.id, message.name, message.args);
        return;
      case 'answer':
        settle(message.id)?.resolve(message.value as never);
        return;
      case 'failure':
        settle(message.id)?.reject(failureOfPlain(message.failure));
    }
  });
  return {
    ask: (name, ...args) =>
      new Promise((resolve, reject) => {
        if (isOver) return reject(new Error(gone));
        last += 1;
        questions.set(last, { resolve, reject });
        send({ kind: 'ask', id: last, name, args });
      }),
    tell: (name, ...args) => send({ kind: 'tell', name, args }),
    onSign: (listener) => signs.push(listener),
    end: () => {
      isOver = true;
      for (const { reject } of questions.values()) reject(new Error(gone));
      questions.clear();
    },
  };
}

const gone = 'The other process of the service is gone.';
