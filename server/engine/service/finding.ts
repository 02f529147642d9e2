import type { Args, Code, Finding } from '../diagnostics/diagnostics.ts';
import type { Span } from '../text/span.ts';

/** Creates a finding whose arguments match its code. */
export function finding<C extends Code>(
  code: C,
  at: Span,
  args: Args<C>,
  related?: Finding['related'],
): Finding {
  return { code, span: at, args: args as object, ...(related && { related }) };
}
