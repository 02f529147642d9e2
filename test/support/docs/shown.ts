/** Compares the output that a page shows with the real output, except for parts that differ at each run. */

/** Returns undefined if both outputs match, and otherwise the two texts that were compared. */
export function difference(shown: readonly string[], output: string): readonly [string, string] | undefined {
  const lines = shown.map(steady);
  const found = steady(output.trimEnd());
  const pattern = lines
    .map((line) => (line === '…' ? '(?:.*\n)*?' : `${line.split('…').map(literally).join('.*')}\n`))
    .join('');
  return new RegExp(`^${pattern}$`).test(`${found}\n`) ? undefined : [lines.join('\n'), found];
}

/** Whether the output contains these lines in this order, possibly with other lines between them. */
export function hasShown(shown: readonly string[], output: string): boolean {
  const lines = steady(output).split('\n');
  let at = 0;
  for (const line of shown.map(steady)) {
    at = lines.indexOf(line, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Replaces ids, keys, times and durations with fixed words. */
function steady(text: string): string {
  return text
    .replaceAll(/powersync_(\d+)_[0-9a-f]{4}/g, 'powersync_$1_ID')
    .replaceAll(/postgresql:\/\/postgres:[^@\s]+@/g, 'postgresql://postgres:PASSWORD@')
    .replaceAll(/#sign-in=[\w-]+/g, '#sign-in=CODE')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b\d+(\.\d+)? (ms|s|seconds?)\b/g, 'DURATION')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID')
    .replaceAll(/[ \t]+$/gm, '');
}
