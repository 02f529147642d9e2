/** Checks the host names under which browsers may open the console. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { finding } from './finding.ts';
import { placesAt, type ServiceReading, scalarText } from './places.ts';

export function checkConsole(config: ServiceReading): Finding[] {
  return placesAt(config, '/console/hosts/*').flatMap((place) => {
    const text = scalarText(place);
    return text === undefined || isHostName(text) ? [] : [finding('service-invalid-host', place.span, {})];
  });
}

/** Whether a text is a name or an IP address, optionally with a port. URLs and patterns are not allowed. */
export function isHostName(text: string): boolean {
  return /^(?:\[[\da-f:.]+\]|[\p{L}\p{N}._-]+)(?::\d{1,5})?$/iu.test(text);
}
