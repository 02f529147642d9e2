/** Writes the table of metrics in `docs/METRICS.md`. */
import { metricCatalogue } from '../../server/service/ground/metrics.ts';
import { renderSection } from './section.ts';

/** The processes that have a metric, by the side of the service that it is about. */
const processes = {
  clients: 'that serves clients',
  replication: 'that replicates',
  both: 'every',
} as const;

/** Returns the page with its table of metrics. */
export function renderMetricsPage(page: string): string {
  const rows = Object.entries(metricCatalogue).map(
    ([name, [type, side, help]]) => `| \`${name}\` | ${type} | ${processes[side]} | ${help} |`,
  );
  const head = ['| Metric | Type | Process | Meaning |', '| --- | --- | --- | --- |'];
  return renderSection(page, 'the metrics', [...head, ...rows].join('\n'));
}
