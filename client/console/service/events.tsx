/** The list of past events of the service. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { nameOfConfig } from '../../api/deployedConfig.ts';
import type { ReportedConfig } from '../../api/reports/deployedConfigs.ts';
import type { Happening } from '../../api/watch.ts';
import { useConsole } from '../console.ts';
import { CallFailure } from '../link/transport.ts';
import { clockText } from '../parts/amounts.ts';
import { EmptyState } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { showToast } from '../parts/toast.tsx';
import { ConfigComparison } from './comparison.tsx';
import { Confirmation } from './confirmation.tsx';
import { askDeployedConfigs } from './deployments.ts';
import { iconOf, kindTitle } from './kinds.ts';

interface EventsProps {
  /** The event that was chosen on the axis. `turn` differs for each choice. */
  readonly chosen: { readonly id: number; readonly turn: number } | undefined;
}

/** The maximum number of events. The service keeps more. */
const mostShown = 100;

/** The events with their actions, latest first. */
export function Events({ chosen }: EventsProps) {
  const { service, transport } = useConsole();
  const list = useRef<HTMLOListElement>(null);
  const compared = useSignal<Comparison | undefined>(undefined);
  const goingBack = useSignal<ReportedConfig | undefined>(undefined);
  useEffect(() => {
    if (chosen === undefined) return;
    const item = list.current?.querySelector<HTMLElement>(`[data-event="${chosen.id}"]`);
    item?.scrollIntoView({ block: 'center' });
    item?.focus();
  }, [chosen]);

  const find = async (number: number): Promise<Comparison | undefined> => {
    const newestFirst = await askDeployedConfigs(transport);
    const index = newestFirst.findIndex(({ configNumber }) => configNumber === number);
    const after = newestFirst[index];
    return after && { before: newestFirst[index + 1], after };
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      showToast('failed', error instanceof CallFailure ? error.message : 'The request failed.');
    }
  };
  const compare = (number: number) => () =>
    attempt(async () => {
      compared.value = await find(number);
      if (compared.value === undefined) showToast('failed', `The service no longer lists config ${number}.`);
    });
  const ask = (number: number) => () =>
    attempt(async () => {
      goingBack.value = (await find(number))?.after;
      if (goingBack.value === undefined) showToast('failed', `The service no longer lists config ${number}.`);
    });
  const goBack = async (): Promise<void> => {
    const to = goingBack.value;
    goingBack.value = undefined;
    if (to === undefined) return;
    await attempt(async () => {
      await transport.call('POST', '/api/sync-rules/v1/deploy', { content: to.content });
      showToast('done', `The content of ${nameOfConfig(to)} was deployed again.`);
    });
  };

  const serving = service.diagnosis.value?.active?.configNumber;
  const happenings = service.happenings.value.slice(-mostShown).reverse();
  return (
    <section class="events" aria-label="Events">
      <h2>What happened</h2>
      {happenings.length === 0 ? (
        <EmptyState title="No events yet">
          <p>Deployments, copies, migrations, restarts and errors are listed here.</p>
        </EmptyState>
      ) : (
        <ol ref={list}>
          {happenings.map((happening) => (
            <li key={happening.id} data-event={happening.id} tabIndex={-1} class={`event ${happening.kind}`}>
              <time dateTime={new Date(happening.at).toISOString()}>{clockText(happening.at)}</time>
              <span class="event-icon">
                <Icon name={iconOf(happening.kind)} />
                <span class="unseen">{kindTitle(happening.kind)}</span>
              </span>
              <p>
                {happening.message} {happening.code && <code>{happening.code}</code>}
              </p>
              <Actions happening={happening} serving={serving} onCompare={compare} onGoBack={ask} />
            </li>
          ))}
        </ol>
      )}
      {compared.value && (
        <ConfigComparison
          before={compared.value.before}
          after={compared.value.after}
          onClose={() => {
            compared.value = undefined;
          }}
        />
      )}
      {goingBack.value && (
        <Confirmation
          title={`Go back to ${nameOfConfig(goingBack.value)}?`}
          text={`It was deployed at ${clockText(goingBack.value.deployedAt)}. Its content will be deployed again, and will replace the active config as soon as all rows are copied.`}
          confirm="Go back"
          onConfirm={goBack}
          onCancel={() => {
            goingBack.value = undefined;
          }}
        />
      )}
    </section>
  );
}

interface Comparison {
  readonly before: ReportedConfig | undefined;
  readonly after: ReportedConfig;
}

interface ActionsProps {
  readonly happening: Happening;
  /** The number of the active config. */
  readonly serving: number | undefined;
  readonly onCompare: (number: number) => () => void;
  readonly onGoBack: (number: number) => () => void;
}

function Actions({ happening: { kind, configNumber, message }, serving, onCompare, onGoBack }: ActionsProps) {
  if (configNumber === undefined || (kind !== 'deploy' && kind !== 'restart')) return null;
  const name = `${kindTitle(kind)}: ${message}`;
  return (
    <div class="event-actions">
      <button type="button" class="link" aria-label={`Compare. ${name}`} onClick={onCompare(configNumber)}>
        Compare
      </button>
      {configNumber !== serving && (
        <button type="button" class="link" aria-label={`Go back. ${name}`} onClick={onGoBack(configNumber)}>
          Go back
        </button>
      )}
    </div>
  );
}
