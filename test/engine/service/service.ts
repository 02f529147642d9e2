import { analyze } from '../../../server/engine/index.ts';
import type { ServiceWorld } from '../../../server/engine/service/world.ts';
import { expectMarks } from '../../support/engine/marks.ts';

/** Fails unless the service config has exactly the drawn findings. */
export function expectService(drawing: string, files: Pick<ServiceWorld, 'exists'> = {}): void {
  expectMarks(drawing, ({ text }) => analyze(text, { kind: 'service', files }).findings);
}
