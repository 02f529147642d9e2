/** The words of a deploy to PowerSync Cloud, for the editor and the command line. */
import { t } from '../l10n.ts';

/** @param installation the command that installs the program */
export function missingProgram(installation: string): string {
  return t(
    "Only PowerSync's command line deploys to PowerSync Cloud, and it is not installed. Install it: {0}",
    installation,
  );
}

/** Returns a sentence about the comparison with the config that PowerSync's command line has fetched into a file. */
export function wordsOfComparison(file: string, comparison: 'none' | 'broken' | 'made'): string {
  switch (comparison) {
    case 'none':
      return t(
        'Not compared with the deployed config. Run powersync pull instance to fetch it into {0}.',
        file,
      );
    case 'broken':
      return t('Not compared with {0}, which has errors.', file);
    case 'made':
      return t('Compared with {0}, which does not contain deploys after it was fetched.', file);
  }
}
