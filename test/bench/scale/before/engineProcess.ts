/** A process of {@link formerEngine}. */
import { evaluation } from '../evaluation.ts';

process.send?.(await evaluation(), () => process.disconnect());
