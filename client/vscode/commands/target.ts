/** Who a command is for: the selected target, or the one that is chosen now. */
import type { Api } from '../../api/api.ts';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';
import { selectTarget } from './selectTarget.ts';

export interface ConnectedTarget {
  readonly target: Target;
  readonly api: Api;
}

/** Undefined if the user chose none. */
export async function connectSelected(services: Services): Promise<ConnectedTarget | undefined> {
  const target = await chooseTarget(services);
  const api = target && (await services.connect(target, 'asks'));
  return target && api ? { target, api } : undefined;
}

/** Likewise. */
export async function chooseTarget(services: Services): Promise<Target | undefined> {
  const { targets } = services;
  if (targets.selected() === undefined) await selectTarget(services);
  return targets.selected();
}
