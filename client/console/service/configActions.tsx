/** The actions on a deployed config, for all places of the console that name one. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { nameOfConfig } from '../../api/deployedConfig.ts';
import type { ListedConfig } from '../../deploying/history.ts';
import { useConsole } from '../console.ts';
import { dateText } from '../parts/amounts.ts';
import { attempt, showToast } from '../parts/toast.tsx';
import { ConfigComparison } from './comparison.tsx';
import { listConfigsHere } from './configs.ts';
import { Confirmation } from './confirmation.tsx';

/** `before`: the config before it, with which it is compared. */
export interface ChosenConfig {
  readonly config: ListedConfig;
  readonly before: ListedConfig | undefined;
}

interface ConfigActions {
  readonly show: (chosen: ChosenConfig) => void;
  readonly compare: (chosen: ChosenConfig) => void;
  /** Asks before the config is deployed again. */
  readonly goBack: (chosen: ChosenConfig) => void;
  /** Finds a config in the list of the service, and says so if it is no longer listed. */
  readonly find: (number: number, then: (chosen: ChosenConfig) => void) => Promise<void>;
  readonly dialogs: ComponentChildren;
}

export function useConfigActions(): ConfigActions {
  const console = useConsole();
  const open = useSignal<(ChosenConfig & { readonly action: 'show' | 'compare' | 'go back' }) | undefined>(
    undefined,
  );
  const close = (): void => {
    open.value = undefined;
  };
  const deploy = async (config: ListedConfig): Promise<void> => {
    close();
    await attempt(async () => {
      await console.transport.call('POST', '/api/sync-rules/v1/deploy', { content: config.content });
      showToast('done', `The content of ${nameOfConfig(config)} was deployed again.`);
    });
  };
  const opens = (action: 'show' | 'compare' | 'go back') => (chosen: ChosenConfig) => {
    open.value = { ...chosen, action };
  };
  const { action, config, before } = open.value ?? {};
  return {
    show: opens('show'),
    compare: opens('compare'),
    goBack: opens('go back'),
    find: (number, then) =>
      attempt(async () => {
        const list = await listConfigsHere(console);
        const chosen = chosenIn(list).find((each) => each.config.configNumber === number);
        if (chosen === undefined) showToast('failed', `The service no longer lists config ${number}.`);
        else then(chosen);
      }),
    dialogs: (
      <>
        {config && action === 'show' && <ConfigText config={config} onClose={close} />}
        {config && action === 'compare' && (
          <ConfigComparison before={before} after={config} onClose={close} />
        )}
        {config && action === 'go back' && (
          <Confirmation
            title={`Go back to ${nameOfConfig(config)}?`}
            text={`It was ${config.deployedAt === undefined ? 'first seen' : 'deployed'} at ${dateText(config.at)}. Its content will be deployed again, and will replace the active config as soon as all rows are copied.`}
            confirm="Go back"
            onConfirm={() => deploy(config)}
            onCancel={close}
          />
        )}
      </>
    ),
  };
}

/** Returns each config with the one before it, newest first. */
export function chosenIn(newestFirst: readonly ListedConfig[]): readonly ChosenConfig[] {
  return newestFirst.map((config, index) => ({ config, before: newestFirst[index + 1] }));
}

interface ConfigTextProps {
  readonly config: ListedConfig;
  readonly onClose: () => void;
}

function ConfigText({ config, onClose }: ConfigTextProps) {
  return (
    <Confirmation title={`${nameOfConfig(config)} (${dateText(config.at)})`} onCancel={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an element that scrolls */}
      <pre class="diff" tabIndex={0}>
        {config.content.split('\n').map((line, index) => (
          <span key={index}>{`${line}\n`}</span>
        ))}
      </pre>
    </Confirmation>
  );
}
