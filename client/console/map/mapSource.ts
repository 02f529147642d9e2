/** The source of the map: the editor's file, or the config that the service runs. */
import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { keyOfConfig } from '../../api/deployedConfig.ts';
import { type DeployedMaps, readDeployedMaps, type SyncMap } from '../../api/syncMap.ts';
import { useConsole } from '../console.ts';
import { CallFailure } from '../link/transport.ts';
import type { LinkState } from '../state/service.ts';
import type { ServiceFacts } from './picture.ts';

export type MapSource =
  | { readonly kind: 'loading' }
  /** There is no map. The title contains the reason, and the sentence the advice. */
  | { readonly kind: 'none'; readonly title: string; readonly sentence: string }
  | { readonly kind: 'map'; readonly map: SyncMap; readonly facts: ServiceFacts };

export function useMapSource(): MapSource {
  const { editor, service } = useConsole();
  const deployed = useDeployedMaps();
  const { link, diagnosis, clients } = service;
  const isConnected = link.value.kind === 'connected';
  const told: ServiceFacts = {
    // The map shows only the file if there is no service.
    diagnosis: isAbsent(link.value) ? undefined : diagnosis.value,
    clients: useMemo(
      () => (isConnected ? [...clients.value.values()] : undefined),
      [isConnected, clients.value],
    ),
  };
  if (editor === undefined) {
    if (deployed === undefined) return { kind: 'loading' };
    if (deployed instanceof CallFailure) return explain(deployed);
    const map = deployed.pending ?? deployed.active;
    if (map === undefined) return noConfig;
    return { kind: 'map', map, facts: { ...told, deployed } };
  }
  const edited = editor.map.value;
  if (edited === undefined) return { kind: 'loading' };
  if (edited.map === undefined)
    return {
      kind: 'none',
      title: edited.file === undefined ? 'No sync config is open' : `${edited.file} is not a sync config`,
      sentence:
        'Open a sync config, or create one with Headwater: Create Sync Config. Its map appears here as you type.',
    };
  return { kind: 'map', map: edited.map, facts: { ...told, deployed: edited.deployed } };
}

function isAbsent({ kind }: LinkState): boolean {
  return kind === 'no service' || kind === 'signed out';
}

const noConfig: MapSource = {
  kind: 'none',
  title: 'Nothing is deployed',
  sentence: 'Deploy a sync config. This map then shows who gets the rows of which tables.',
};

function explain({ kind, message }: CallFailure): MapSource {
  if (kind === 'absent')
    return {
      kind: 'none',
      title: 'This service does not report its map',
      sentence: 'Open the sync config in VS Code, where the console shows the map of the file.',
    };
  return { kind: 'none', title: 'The map cannot be read', sentence: message };
}

/** Returns the maps. They are requested again after a deploy, or when the tables of the source have changed. */
function useDeployedMaps(): DeployedMaps | CallFailure | undefined {
  const { transport, editor, service } = useConsole();
  const maps = useSignal<DeployedMaps | CallFailure | undefined>(undefined);
  const { active, pending } = service.diagnosis.value ?? {};
  const state = JSON.stringify(
    [active, pending].map((each) => [
      keyOfConfig(each),
      each?.copied,
      each?.tables.map(({ name, keys, errors }) => [name, keys, errors.length]),
    ]),
  );
  const isInEditor = editor !== undefined;
  const returns = service.returns.value;
  useEffect(() => {
    if (isInEditor) return;
    const end = new AbortController();
    transport
      .call('POST', '/api/admin/v1/map', {}, end.signal)
      .then(
        (answer) => readDeployedMaps(answer) ?? new CallFailure('absent', ''),
        (error: unknown) =>
          error instanceof CallFailure ? error : new CallFailure('refused', String(error)),
      )
      .then((found) => {
        if (end.signal.aborted) return;
        // The previous map stays, because the banner shows that it is old.
        if (found instanceof CallFailure && found.kind === 'unreachable' && maps.value !== undefined) return;
        maps.value = found;
      });
    return () => end.abort();
  }, [transport, isInEditor, state, returns, maps]);
  return maps.value;
}
