/** The table of all fixes by code. */
import type { Fixes } from '../fix.ts';
import { conditionFixes } from './conditions.ts';
import { editionFixes } from './editions.ts';
import { functionFixes } from './functionFixes.ts';
import { ignoreFixes } from './ignores.ts';
import { documentFixes, keyFixes } from './keyFixes.ts';
import { listFixes } from './lists.ts';
import { meantFixes } from './meant.ts';
import { joinFixes, nameFixes } from './nameFixes.ts';
import { operatorFixes } from './operators.ts';
import { serviceFixes } from './serviceFixes.ts';
import { syntaxFixes } from './syntax.ts';
import { valueFixes } from './valueFixes.ts';

export const fixes: Fixes = {
  ...documentFixes,
  ...keyFixes,
  ...valueFixes,
  ...ignoreFixes,
  ...editionFixes,
  ...syntaxFixes,
  ...nameFixes,
  ...meantFixes,
  ...joinFixes,
  ...functionFixes,
  ...operatorFixes,
  ...conditionFixes,
  ...listFixes,
  ...serviceFixes,
};
