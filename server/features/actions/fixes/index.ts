/** The table of fixes: which codes have one. */
import type { Fixes } from '../fix.ts';
import { conditionFixes } from './conditions.ts';
import { editionFixes } from './editions.ts';
import { functionFixes } from './functions.ts';
import { ignoreFixes } from './ignores.ts';
import { documentFixes, keyFixes } from './keys.ts';
import { listFixes } from './lists.ts';
import { meantFixes } from './meant.ts';
import { joinFixes, nameFixes } from './names.ts';
import { operatorFixes } from './operators.ts';
import { serviceFixes } from './service.ts';
import { syntaxFixes } from './syntax.ts';
import { valueFixes } from './values.ts';

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
