import type { Finding } from '../diagnostics/diagnostics.ts';
import { finding } from './finding.ts';
import { type ConfigPlace, scalarText } from './places.ts';
import type { ServiceWorld } from './world.ts';

/** Absolute paths are mostly those of a container, and say nothing about this machine. */
const absolute = /^(?:\/|[A-Za-z]:|\\)/;

/** The value is the path of a file or folder. */
export function checkFile(place: ConfigPlace, { exists }: ServiceWorld): Finding[] {
  const path = scalarText(place);
  if (path === undefined || absolute.test(path) || exists?.(path) !== false) return [];
  return [finding('service-file-not-found', place.span, { path })];
}
