/** Reads the device from an address such as `#/devices?user=ada&view=source&table=lists&find=l1`. */
import { readSubscription } from '../../api/answers.ts';
import { isObject, listOf } from '../../api/reading.ts';
import type { DeviceView } from './devicePanel.tsx';
import { draftWith, type OwnerDraft } from './draft.ts';

interface AskedDevice {
  readonly draft: OwnerDraft;
  readonly view: DeviceView;
  readonly table: string | undefined;
  /** The text to search for in the rows. */
  readonly find: string;
}

export function readAskedDevice(parameters: URLSearchParams): AskedDevice {
  const claims = jsonIn(parameters.get('claims'));
  const { sub: _, ...others } = isObject(claims) ? claims : {};
  return {
    draft: draftWith(
      parameters.get('user') ?? '',
      others,
      listOf(jsonIn(parameters.get('subscriptions'))).map(readSubscription),
    ),
    view: parameters.get('view') === 'source' ? 'source' : 'device',
    table: parameters.get('table') ?? undefined,
    find: parameters.get('find') ?? '',
  };
}

function jsonIn(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
