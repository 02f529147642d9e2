/** The list of past events of the service. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Happening } from '../../api/watch.ts';
import { useConsole } from '../console.ts';
import { CallFailure } from '../link/transport.ts';
import { clockText } from '../parts/amounts.ts';
import { EmptyState } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { showToast } from '../parts/toast.tsx';
import { ConfigComparison } from './comparison.tsx';
import { Confirmation } from './confirmation.tsx';
import { askDeployments, type PastDeployment } from './deployments.ts';
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
  const compared = useSignal<readonly [PastDeployment | undefined, PastDeployment] | undefined>(undefined);
  const goingBack = useSignal<PastDeployment | undefined>(undefined);
  useEffect(() => {
    if (chosen === undefined) return;
    const item = list.current?.querySelector<HTMLElement>(`[data-event="${chosen.id}"]`);
    item?.scrollIntoView({ block: 'center' });
    item?.focus();
  }, [chosen]);

  const find = async (
    slot: string,
  ): Promise<readonly [PastDeployment | undefined, PastDeployment] | undefined> => {
    const all = await askDeployments(transport);
    const index = all.findIndex((each) => each.slot === slot);
    const found = all[index];
    return found && [all[index - 1], found];
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      showToast('failed', error instanceof CallFailure ? error.message : 'The request failed.');
    }
  };
  const compare = (slot: string) => () =>
    attempt(async () => {
      compared.value = await find(slot);
      if (compared.value === undefined) showToast('failed', 'The service no longer has that deployment.');
    });
  const ask = (slot: string) => () =>
    attempt(async () => {
      goingBack.value = (await find(slot))?.[1];
    });
  const goBack = async (): Promise<void> => {
    const to = goingBack.value;
    goingBack.value = undefined;
    if (to === undefined) return;
    await attempt(async () => {
      await transport.call('POST', '/api/sync-rules/v1/deploy', { content: to.content });
      showToast('done', 'The earlier sync config was deployed again.');
    });
  };

  const serving = service.diagnosis.value?.active?.slot;
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
          before={compared.value[0]}
          after={compared.value[1]}
          onClose={() => {
            compared.value = undefined;
          }}
        />
      )}
      {goingBack.value && (
        <Confirmation
          title="Go back to this sync config?"
          text={`This config was deployed at ${clockText(goingBack.value.createdAt)}. It will be deployed again, and will replace the active config as soon as all rows are copied.`}
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

interface ActionsProps {
  readonly happening: Happening;
  readonly serving: string | undefined;
  readonly onCompare: (slot: string) => () => void;
  readonly onGoBack: (slot: string) => () => void;
}

function Actions({ happening: { kind, slot, message }, serving, onCompare, onGoBack }: ActionsProps) {
  if (slot === undefined || (kind !== 'deploy' && kind !== 'restart')) return null;
  const name = `${kindTitle(kind)}: ${message}`;
  return (
    <div class="event-actions">
      <button type="button" class="link" aria-label={`Compare. ${name}`} onClick={onCompare(slot)}>
        Compare
      </button>
      {slot !== serving && (
        <button type="button" class="link" aria-label={`Go back. ${name}`} onClick={onGoBack(slot)}>
          Go back
        </button>
      )}
    </div>
  );
}
