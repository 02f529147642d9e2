/** The card with the state of the service and its remedies. */
import { useSignal } from '@preact/signals';
import type { StateWords } from '../../health/states.ts';
import { useConsole } from '../console.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Sentence } from '../parts/sentence.tsx';
import { attempt, showToast } from '../parts/toast.tsx';
import { Confirmation } from './confirmation.tsx';
import { shownState } from './stateWords.ts';

const icons: Readonly<Record<StateWords['tone'], IconName>> = {
  good: 'check',
  busy: 'restart',
  idle: 'service',
  warning: 'warning',
  bad: 'error',
};

type StateAction = NonNullable<StateWords['remedy']>;

export function StateCard() {
  const { service, transport } = useConsole();
  const asked = useSignal<StateAction | undefined>(undefined);
  const { link, health, clientCount } = service;
  const { tone, title, details, remedy } = shownState(link.value, health.value, clientCount.value);
  const chosen = asked.value && actions[asked.value];
  const ask = (action: StateAction | undefined): void => {
    asked.value = action;
  };
  const act = ({ path, body, done }: (typeof actions)[StateAction]): Promise<void> => {
    ask(undefined);
    return attempt(async () => {
      await transport.call('POST', path, body);
      showToast('done', done);
    });
  };
  return (
    <section class={`state ${tone}`} aria-label="State of the service">
      <span class="state-icon">
        <Icon name={icons[tone]} />
      </span>
      <div class="state-words">
        <p class="state-title" role="status">
          {title}
        </p>
        {details.map((detail) => (
          <p key={detail}>
            <Sentence text={detail} />
          </p>
        ))}
      </div>
      {remedy && (
        <button type="button" class="button main" onClick={() => ask(remedy)}>
          {actions[remedy].title}
        </button>
      )}
      {chosen && (
        <Confirmation
          title={`${chosen.title}?`}
          text={chosen.means}
          confirm={chosen.title}
          onConfirm={() => act(chosen)}
          onCancel={() => ask(undefined)}
        />
      )}
    </section>
  );
}

const actions = {
  apply: {
    title: 'Apply migrations',
    means:
      'New migrations are run in the embedded database, and statements that were left out are retried. No row is deleted.',
    done: 'The migrations were applied.',
    path: '/api/admin/v1/apply-migrations',
    body: {},
  },
  reset: {
    title: 'Reset the database',
    means:
      'The embedded database is deleted and created again from the scripts of the project. Rows that were written after the scripts ran are lost.',
    done: 'The database was reset.',
    path: '/api/admin/v1/reset-database',
    body: { seed: true },
  },
  reprocess: {
    title: 'Copy all rows again',
    means:
      'The service copies all rows from the source again. Clients keep what they have until all rows are there.',
    done: 'All rows are being copied again.',
    path: '/api/admin/v1/reprocess',
    body: {},
  },
} satisfies Readonly<Record<StateAction, object>>;
