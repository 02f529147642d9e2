/** The table of everything that the server answers, apart from diagnostics: one row for each feature. */
import type { ServerCapabilities } from 'vscode-languageserver';
import { actionFeature } from './actions.ts';
import { completionFeature } from './completion.ts';
import type { Feature } from './feature.ts';
import { formatting } from './formatting.ts';
import { hierarchy } from './hierarchy.ts';
import { inlayHintFeature } from './hints.ts';
import { hoverFeature } from './hover.ts';
import { lensFeature } from './lenses.ts';
import { moveFeature } from './moves.ts';
import { navigation } from './navigation.ts';
import { signatureFeature } from './signature.ts';
import { structure } from './structure.ts';
import { tokenFeatures } from './tokens.ts';

export const features: readonly Feature[] = [
  completionFeature,
  hoverFeature,
  signatureFeature,
  ...navigation,
  ...hierarchy,
  ...structure,
  inlayHintFeature,
  lensFeature,
  ...tokenFeatures,
  actionFeature,
  ...formatting,
  moveFeature,
];

export function capabilitiesOf(rows: readonly Feature[]): ServerCapabilities {
  return Object.assign({}, ...rows.map(({ capabilities }) => capabilities));
}
