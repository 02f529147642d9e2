/** An amount and its limit, as a number and a bar. */
import { numberText } from '../parts/amounts.ts';

interface ShareProps {
  readonly amount: number;
  readonly of: number;
  /** The noun in the singular. */
  readonly noun: string;
}

/** The share at which an amount is marked. Above 1, the amount exceeds the limit. */
const near = 0.8;

/** Shows an amount and its limit as a number and as a bar. */
export function Share({ amount, of, noun }: ShareProps) {
  const share = of === 0 ? 0 : amount / of;
  const tone = share > 1 ? 'bad' : share >= near ? 'warning' : 'fine';
  return (
    <span class={`share ${tone}`}>
      <span class="bar" aria-hidden="true">
        <span style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
      <span>
        {numberText(amount)} <span class="soft">of {numberText(of)}</span>
        <span class="unseen"> {noun}s</span>
      </span>
    </span>
  );
}
