/** The list of past events of the service. */
import { useEffect, useRef } from 'preact/hooks';
import type { Happening } from '../../api/watch.ts';
import { useConsole } from '../console.ts';
import { clockText } from '../parts/amounts.ts';
import { EmptyState } from '../parts/empty.tsx';
import { Icon } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { useConfigActions } from './configActions.tsx';
import { iconOf, kindTitle } from './kinds.ts';

interface EventsProps {
  /** The event that was chosen on the axis. `turn` differs for each choice. */
  readonly chosen: { readonly id: number; readonly turn: number } | undefined;
}

/** The maximum number of events. The service keeps more. */
const mostShown = 100;

/** The events with their actions, latest first. */
export function Events({ chosen }: EventsProps) {
  const { service } = useConsole();
  const list = useRef<HTMLOListElement>(null);
  const { find, compare, goBack, dialogs } = useConfigActions();
  useEffect(() => {
    if (chosen === undefined) return;
    const item = list.current?.querySelector<HTMLElement>(`[data-event="${chosen.id}"]`);
    item?.scrollIntoView({ block: 'center' });
    item?.focus();
  }, [chosen]);

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
                <Sentence text={happening.message} /> {happening.code && <code>{happening.code}</code>}
              </p>
              <Actions
                happening={happening}
                serving={serving}
                onCompare={(number) => find(number, compare)}
                onGoBack={(number) => find(number, goBack)}
              />
            </li>
          ))}
        </ol>
      )}
      {dialogs}
    </section>
  );
}

interface ActionsProps {
  readonly happening: Happening;
  /** The number of the active config. */
  readonly serving: number | undefined;
  readonly onCompare: (number: number) => void;
  readonly onGoBack: (number: number) => void;
}

function Actions({ happening: { kind, configNumber, message }, serving, onCompare, onGoBack }: ActionsProps) {
  if (configNumber === undefined || (kind !== 'deploy' && kind !== 'restart')) return null;
  const name = `${kindTitle(kind)}: ${message}`;
  return (
    <div class="event-actions">
      <button
        type="button"
        class="link"
        aria-label={`Compare. ${name}`}
        onClick={() => onCompare(configNumber)}
      >
        Compare
      </button>
      {configNumber !== serving && (
        <button
          type="button"
          class="link"
          aria-label={`Go back. ${name}`}
          onClick={() => onGoBack(configNumber)}
        >
          Go back
        </button>
      )}
    </div>
  );
}
