/** Explains in a sentence why a row is not on a device. */
import { enumerate, valueText } from '../../api/conditionWords.ts';
import type { AbsenceReason } from '../../api/explained.ts';

/** @param user the user of the device */
export function reasonText(reason: AbsenceReason, user: string): string {
  const { stream, kind, values, code } = reason;
  const read = values.map(({ text, value }) => `${text} is ${valueText(value)}`).join(' and ');
  const because = read === '' ? '' : `: in this row, ${read}`;
  const ofClient = read === '' ? '' : `: ${read}`;
  switch (kind) {
    case 'filtered':
      return `${stream} excludes this row, because a condition does not hold${because}.`;
    case 'no key':
      return `${stream} sends this row to no user, because a value that decides who gets it is NULL or binary.`;
    case 'no element':
      return `${stream} sends this row to no user, because a list in the row is empty.`;
    case 'failed':
      return `${stream} cannot be evaluated for this row (${code ?? 'an error'}).`;
    case 'not subscribed':
      return `This row is in ${stream}, which is only for clients that subscribe to it. This client has not subscribed.`;
    case 'client filtered':
      return `${stream} sends ${user} nothing, because a condition on the client does not hold${ofClient}.`;
    case 'nothing found':
      return `${stream} sends ${user} nothing, because its lookups find no row for ${user}.`;
    case 'no client key':
      return `${stream} sends ${user} nothing, because the client lacks a value that the stream requires.`;
    case 'no common value':
      return `${stream} sends ${user} nothing, because no value meets all of its conditions for ${user}.`;
    case 'client failed':
      return `${stream} cannot be evaluated for ${user} (${code ?? 'an error'}).`;
    case 'other values':
      return `${stream} sends this row only to clients that have its values${because}. ${user} has ${heldText(reason)}.`;
    default:
      return `${stream}: ${kind}.`;
  }
}

function heldText({ held }: AbsenceReason): string {
  return enumerate(held.map((values) => values.map(valueText).join(' with '))) || 'no value';
}

/** Returns the label of a button. */
export function subscribeText(stream: string, parameters: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(parameters).map(([name, value]) => `${name} ${valueText(value)}`);
  return values.length === 0 ? `Subscribe to ${stream}` : `Subscribe to ${stream} with ${values.join(', ')}`;
}
