/** Explains why one row is not on a device: a sentence for each stream that reads its table, and the clause in the config. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import {
  type Absence,
  absenceText,
  conditionWords,
  subscribeText,
} from '../../../server/shared/absenceWords.ts';
import type { SourceRowAnswer } from '../../api/explained.ts';
import type { Subscription } from '../../api/synced.ts';
import { shownName } from '../../api/tableName.ts';
import { useConsole } from '../console.ts';
import { addressOf } from '../frame/address.ts';
import { shownText } from '../grid/cells.ts';
import { cellIn } from '../grid/gridColumns.ts';
import { Icon } from '../parts/icon.tsx';
import { markedLines } from './markedLines.ts';

interface WhyPanelProps {
  readonly row: SourceRowAnswer;
  readonly user: string;
  /** The name of the table in the source. */
  readonly table: string;
  /** The config that contains the marks. */
  readonly content: string;
  /** The problems that the service reports for this client's streams. */
  readonly problems: readonly string[];
  readonly onClose: () => void;
  readonly onSubscribe: (subscription: Subscription) => void;
}

export function WhyPanel({ row, user, table, content, problems, onClose, onSubscribe }: WhyPanelProps) {
  const { editor } = useConsole();
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => panel.current?.focus(), [row]);
  const name = shownText(cellIn(row, 'id'));
  return (
    <section
      ref={panel}
      class="detail why-panel"
      tabIndex={-1}
      aria-label={`Why ${user} does not have ${name}`}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose();
      }}
    >
      <div class="detail-head">
        <h2>
          Why {user} does not have {name === '' ? 'this row' : name}
        </h2>
        <a
          class="button"
          title="Show the row among its table's rows"
          href={addressOf('data', { table, find: name })}
        >
          Show the row
        </a>
        {editor && (
          <button
            type="button"
            class="button"
            title="Show which users get this row, as a text document"
            onClick={() => editor.explain(table, row.data)}
          >
            As text
          </button>
        )}
        <button type="button" class="plain" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="reasons">
        {row.reasons.length === 0 && <p>{withoutReason(row, problems)}</p>}
        {row.reasons.map((reason, index) => (
          <Reason key={index} reason={reason} user={user} content={content} onSubscribe={onSubscribe} />
        ))}
      </div>
    </section>
  );
}

function withoutReason({ targets }: SourceRowAnswer, problems: readonly string[]): string {
  if (targets.length === 0)
    return 'No stream syncs rows of this table. They are only looked up to find out who gets other rows.';
  if (problems.length > 0) return `This row should be on the device. ${problems.join(' ')}`;
  return 'According to the config, this row belongs on the device. It is on its way, or the device has not received everything yet.';
}

interface ReasonProps extends Pick<WhyPanelProps, 'user' | 'content' | 'onSubscribe'> {
  readonly reason: Absence;
}

function Reason({ reason, user, content, onSubscribe }: ReasonProps) {
  const { editor } = useConsole();
  const [first] = reason.marks;
  const { stream, subscription } = reason;
  return (
    <article class="reason">
      <p>{absenceText(reason, user)}</p>
      {(reason.conditions.length > 1 || reason.conditions[0]?.table) && (
        <Conditions reason={reason} user={user} />
      )}
      {subscription && (
        <button
          type="button"
          class="button"
          title="Adds this subscription only to the device that is shown here"
          onClick={() => onSubscribe({ stream, parameters: subscription })}
        >
          {subscribeText(stream, subscription)}
        </button>
      )}
      {first && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an element that scrolls */}
          <pre tabIndex={0}>
            {markedLines(content, reason.marks).map((line, index) => (
              <span key={index} class={line === undefined ? 'gap' : 'line'}>
                {line === undefined ? '…' : <span class="line-number">{line.number}</span>}
                {line?.pieces.map(({ text, isMarked }, at) =>
                  isMarked ? <mark key={at}>{text}</mark> : text,
                )}
                {'\n'}
              </span>
            ))}
          </pre>
          {editor && (
            <button
              type="button"
              class="button"
              onClick={() => editor.reveal({ content, start: first.start, end: first.end })}
            >
              Show in the file
            </button>
          )}
        </>
      )}
    </article>
  );
}

/** The conditions of the query with their verdicts. Conditions that hold are also listed, so that the user can rule them out. */
function Conditions({ reason, user }: Pick<ReasonProps, 'reason' | 'user'>) {
  return (
    <ul class="conditions">
      {reason.conditions.map((condition, index) => {
        const { sign, meaning, sql, text } = conditionWords(condition, user, reason.stream);
        return (
          <li key={index} class={`condition-${condition.holds}`}>
            <span role="img" aria-label={meaning}>
              {sign}
            </span>
            <span>
              {sql !== '' && <code>{sql}</code>} <span class="condition-values">{text}</span>{' '}
              {condition.holds !== true && condition.table && (
                <a href={addressOf('data', { table: shownName(condition.table) })}>
                  Show {shownName(condition.table)}
                </a>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
