/** The deployed configs of the service: the same list as in the editor. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { keyOfConfig } from '../../api/deployedConfig.ts';
import { deployedConfigsPath, readDeployedConfigs } from '../../api/reports/deployedConfigs.ts';
import { type ListedConfig, listConfigs, seenIn } from '../../deploying/history.ts';
import { type Console, useConsole } from '../console.ts';
import { CallFailure } from '../link/transport.ts';

/** Returns each deployed config once, newest first. An editor also knows the configs that it has seen before. */
export async function listConfigsHere(
  { transport, editor, service }: Pick<Console, 'transport' | 'editor' | 'service'>,
  signal?: AbortSignal,
): Promise<readonly ListedConfig[]> {
  if (editor !== undefined) return editor.configs(signal);
  const diagnosis = service.diagnosis.peek();
  if (diagnosis === undefined) return [];
  const reported = await transport
    .call('POST', deployedConfigsPath, {}, signal)
    .then(readDeployedConfigs)
    .catch((error: unknown) => {
      if (error instanceof CallFailure && error.kind === 'absent') return undefined;
      throw error;
    });
  return listConfigs({ seen: seenIn(diagnosis), reported, diagnosis });
}

/** Returns the list, or undefined until it is known. It is requested again whenever another config is deployed or becomes active. */
export function useConfigs(): readonly ListedConfig[] | CallFailure | undefined {
  const { transport, editor, service } = useConsole();
  const list = useSignal<readonly ListedConfig[] | CallFailure | undefined>(undefined);
  const { active, pending } = service.diagnosis.value ?? {};
  const isKnown = service.diagnosis.value !== undefined;
  const state = JSON.stringify([active, pending].map((each) => [keyOfConfig(each), each?.copied]));
  const returns = service.returns.value;
  useEffect(() => {
    if (!isKnown) return;
    const end = new AbortController();
    void listConfigsHere({ transport, service, ...(editor && { editor }) }, end.signal)
      .catch((error: unknown) =>
        error instanceof CallFailure ? error : new CallFailure('refused', String(error)),
      )
      .then((found) => {
        // After a failure, the previous list stays, because the banner shows that it is old.
        if (end.signal.aborted || (found instanceof CallFailure && Array.isArray(list.value))) return;
        list.value = found;
      });
    return () => end.abort();
  }, [transport, editor, service, isKnown, state, returns, list]);
  return list.value;
}
