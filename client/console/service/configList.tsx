/** The list of deployed configs, newest first, each once. */
import { useSignal } from '@preact/signals';
import { nameOfConfig } from '../../api/deployedConfig.ts';
import { describeListed } from '../../deploying/historyWords.ts';
import { CallFailure } from '../link/transport.ts';
import { amountText } from '../parts/amounts.ts';
import { EmptyState } from '../parts/empty.tsx';
import { type ChosenConfig, chosenIn, useConfigActions } from './configActions.tsx';
import { useConfigs } from './configs.ts';

/** The number of configs that are shown first. */
const mostShown = 5;

export function ConfigList() {
  const list = useConfigs();
  const isWhole = useSignal(false);
  const actions = useConfigActions();
  if (list === undefined) return null;
  const chosen = list instanceof CallFailure ? [] : chosenIn(list);
  const shown = isWhole.value ? chosen : chosen.slice(0, mostShown);
  return (
    <section class="configs" aria-label="Deployed configs">
      <h2>Deployed configs</h2>
      {list instanceof CallFailure ? (
        <p class="note">The list cannot be read: {list.message}</p>
      ) : list.length === 0 ? (
        <EmptyState title="Nothing is deployed yet">
          <p>Each deployed sync config is listed here, and can be deployed again.</p>
        </EmptyState>
      ) : (
        <ol>
          {shown.map((each) => (
            <ConfigRow key={keyOf(each)} chosen={each} {...actions} />
          ))}
        </ol>
      )}
      {chosen.length > mostShown && (
        <button
          type="button"
          class="button"
          aria-expanded={isWhole.value}
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isWhole.value ? 'Show fewer' : `Show all ${amountText(chosen.length, 'config')}`}
        </button>
      )}
      {actions.dialogs}
    </section>
  );
}

function keyOf({ config: { slot, configNumber, at } }: ChosenConfig): string {
  return `${slot} ${configNumber} ${at}`;
}

type ConfigRowProps = Pick<ReturnType<typeof useConfigActions>, 'show' | 'compare' | 'goBack'> & {
  readonly chosen: ChosenConfig;
};

function ConfigRow({ chosen, show, compare, goBack }: ConfigRowProps) {
  const { config } = chosen;
  const name = nameOfConfig(config);
  return (
    <li class={`config ${config.state}`}>
      <span class="config-name">{name}</span>
      <p>{describeListed(config)}</p>
      <div class="event-actions">
        <button type="button" class="link" aria-label={`Show. ${name}`} onClick={() => show(chosen)}>
          Show
        </button>
        <button type="button" class="link" aria-label={`Compare. ${name}`} onClick={() => compare(chosen)}>
          Compare
        </button>
        {config.state === 'earlier' && (
          <button type="button" class="link" aria-label={`Go back. ${name}`} onClick={() => goBack(chosen)}>
            Go back
          </button>
        )}
      </div>
    </li>
  );
}
