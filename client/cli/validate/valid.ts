/** Reads a sync config without errors. A config with errors is never deployed, so its rows cannot be explained. */
import { type AnalyzeInput, analyze, type Config, severityOf } from '../../../server/engine/index.ts';
import { CliFailure } from '../failure.ts';

export function analyzeValid(path: string, text: string, known?: AnalyzeInput): { readonly config: Config } {
  const { config, findings } = analyze(text, { ...known, kind: 'sync' });
  if (config === undefined || findings.some(({ code }) => severityOf(code) === 'error'))
    throw new CliFailure(`${path} has errors. See headwater validate ${path}.`, 1);
  return { config };
}
