/** The table of what the server answers besides diagnostics: a row for each feature. */
import type { ServerCapabilities } from 'vscode-languageserver';
import type { Feature } from './feature.ts';
import { foldingFeature } from './structure.ts';

export const features: readonly Feature[] = [foldingFeature];

export function capabilitiesOf(rows: readonly Feature[]): ServerCapabilities {
  return Object.assign({}, ...rows.map(({ capabilities }) => capabilities));
}
