import type { Finding } from '../diagnostics/diagnostics.ts';
import { finding } from './finding.ts';
import { type ConfigPlace, scalarText } from './places.ts';
import type { ServiceWorld } from './world.ts';

/** Matches absolute paths. They are normally paths in a container, which this machine does not have. */
const absolute = /^(?:\/|[A-Za-z]:|\\)/;

/** Checks a value that must be the path of a file or folder. */
export function checkFile(place: ConfigPlace, { exists }: ServiceWorld): Finding[] {
  const path = scalarText(place);
  if (path === undefined || absolute.test(path) || exists?.(path) !== false) return [];
  return [finding('service-file-not-found', place.span, { path })];
}
