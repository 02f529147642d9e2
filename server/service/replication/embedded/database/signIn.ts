/** Signs clients in with the password. Every client needs it, because all users and programs of the machine can reach the port. */
import { BrokenFrame, bodyOf, errorMessage, type Message, message, textsIn } from './messages.ts';
import { openScram, scramMechanism, type Verifier } from './scram.ts';

export interface SignIn {
  /** The message that asks the client for a proof. */
  readonly request: Buffer;
  /** Returns the answer, and whether the client is admitted, is refused or must send more. */
  next(said: Message): { readonly answer: Buffer; readonly outcome: 'in' | 'refused' | 'more' };
}

/** The codes of authentication messages: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const codes = { ok: 0, sasl: 10, goOn: 11, final: 12 } as const;

export function openSignIn(verifier: Verifier, user: string): SignIn {
  const scram = openScram(verifier);
  let step: 'first' | 'final' = 'first';
  const refused = {
    answer: errorMessage('28P01', `password authentication failed for user "${user}"`, 'FATAL'),
    outcome: 'refused',
  } as const;
  return {
    request: about('sasl', `${scramMechanism}\0\0`),
    next(said) {
      if (said.type !== 'p') throw new BrokenFrame('The client must sign in first.');
      if (step === 'first') {
        step = 'final';
        const challenge = scram.challenge(firstIn(bodyOf(said)));
        return challenge === undefined ? refused : { answer: about('goOn', challenge), outcome: 'more' };
      }
      const conclusion = scram.conclude(bodyOf(said).toString('utf8'));
      if (conclusion === undefined) return refused;
      return { answer: Buffer.concat([about('final', conclusion), about('ok', '')]), outcome: 'in' };
    },
  };
}

function about(code: keyof typeof codes, text: string): Buffer {
  const number = Buffer.alloc(4);
  number.writeInt32BE(codes[code]);
  return message('R', number, Buffer.from(text));
}

/** Returns the client's first message, which follows the name of the mechanism and a length. */
function firstIn(body: Buffer): string {
  const [mechanism = ''] = textsIn(body, 1);
  return mechanism === scramMechanism ? body.toString('utf8', mechanism.length + 1 + 4) : '';
}
