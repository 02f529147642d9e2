/** A sync config without errors: what has one is not deployed, so nothing may be said of what it would sync. */
import { type AnalyzeInput, analyze, type Config, severityOf } from '../../../server/engine/index.ts';
import { CliFailure } from '../failure.ts';

export function analyzeValid(path: string, text: string, known?: AnalyzeInput): { readonly config: Config } {
  const { config, findings } = analyze(text, { ...known, kind: 'sync' });
  if (config === undefined || findings.some(({ code }) => severityOf(code) === 'error'))
    throw new CliFailure(`${path} has errors. See headwater validate ${path}.`, 1);
  return { config };
}
