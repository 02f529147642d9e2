/** Why a row is not on a device, as a sentence. */
import { enumerate, valueText } from '../../api/conditionWords.ts';
import type { AbsenceReason } from '../../api/explained.ts';

/** @param user who has the device */
export function reasonText(reason: AbsenceReason, user: string): string {
  const { stream, kind, values, code } = reason;
  const read = values.map(({ text, value }) => `${text} is ${valueText(value)}`).join(' and ');
  const because = read === '' ? '' : `: in this row, ${read}`;
  const ofClient = read === '' ? '' : `: ${read}`;
  switch (kind) {
    case 'filtered':
      return `${stream} leaves this row out, because a condition does not hold${because}.`;
    case 'no key':
      return `${stream} brings this row to nobody, because a value that decides who gets it is NULL or binary.`;
    case 'no element':
      return `${stream} brings this row to nobody, because a list of it is empty.`;
    case 'failed':
      return `${stream} fails on this row (${code ?? 'an error'}).`;
    case 'not subscribed':
      return `This row is in ${stream}, which is only for clients that subscribe to it. This one does not.`;
    case 'client filtered':
      return `${stream} gives ${user} nothing, because a condition on the client does not hold${ofClient}.`;
    case 'nothing found':
      return `${stream} gives ${user} nothing, because no row leads there from ${user}.`;
    case 'no client key':
      return `${stream} gives ${user} nothing, because a value that it needs of the client is missing.`;
    case 'no common value':
      return `${stream} gives ${user} nothing, because no value fulfils all of its conditions for ${user}.`;
    case 'client failed':
      return `${stream} fails for ${user} (${code ?? 'an error'}).`;
    case 'other values':
      return `${stream} brings this row to others${because}. ${user} has ${heldText(reason)}.`;
    default:
      return `${stream}: ${kind}.`;
  }
}

function heldText({ held }: AbsenceReason): string {
  return enumerate(held.map((values) => values.map(valueText).join(' with '))) || 'no value there';
}

/** Returns the label of a button. */
export function subscribeText(stream: string, parameters: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(parameters).map(([name, value]) => `${name} ${valueText(value)}`);
  return values.length === 0 ? `Subscribe to ${stream}` : `Subscribe to ${stream} with ${values.join(', ')}`;
}
