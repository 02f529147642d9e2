/** The dialog that compares the sync configs of two deployments. */
import { nameOfConfig } from '../../api/deployedConfig.ts';
import type { ListedConfig } from '../../deploying/history.ts';
import { amountText, dateText } from '../parts/amounts.ts';
import { Confirmation } from './confirmation.tsx';
import { diffParts, diffTexts } from './lineDiff.ts';

interface ConfigComparisonProps {
  readonly before: ListedConfig | undefined;
  readonly after: ListedConfig;
  readonly onClose: () => void;
}

const signs = { same: ' ', removed: '−', added: '+' } as const;

/** The changes of a deployment in the sync config. */
export function ConfigComparison({ before, after, onClose }: ConfigComparisonProps) {
  const parts = diffParts(diffTexts(before?.content ?? '', after.content));
  const title = before
    ? `What changed from ${nameOfConfig(before)} (${dateText(before.at)}) to ${nameOfConfig(after)} (${dateText(after.at)})`
    : `The oldest listed sync config: ${nameOfConfig(after)} (${dateText(after.at)})`;
  return (
    <Confirmation title={title} onCancel={onClose}>
      {parts.length === 0 ? (
        <p>The sync config did not change.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach an element that scrolls
        <pre class="diff" tabIndex={0}>
          {parts.map(({ skipped, lines }, index) => (
            <>
              {skipped > 0 && <span class="skipped">{`⋯ ${amountText(skipped, 'unchanged line')}\n`}</span>}
              {lines.map(({ kind, text }, line) => (
                <span key={`${index} ${line}`} class={kind}>
                  {`${signs[kind]} ${text}\n`}
                </span>
              ))}
            </>
          ))}
        </pre>
      )}
    </Confirmation>
  );
}
