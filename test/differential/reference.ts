import { SqlSyncRules } from '@powersync/service-sync-rules';

export interface Opinion {
  readonly verdict: 'valid' | 'invalid' | 'crash';
  /** Errors and warnings in their order, each with the marked text. */
  readonly notes: readonly string[];
  /** The errors among them. */
  readonly errors: readonly { readonly message: string; readonly marked: string }[];
}

/** Returns the opinion of the reference on a config without a schema. */
export function referenceOpinion(text: string): Opinion {
  try {
    const { errors } = SqlSyncRules.fromYaml(text, {
      throwOnError: false,
      defaultSchema: 'public',
      schema: undefined,
    });
    const seen = errors.map(({ type, message, location }) => ({
      type,
      message,
      marked: text.slice(location.start, location.end),
    }));
    const fatal = seen.filter(({ type }) => type !== 'warning');
    return {
      verdict: fatal.length > 0 ? 'invalid' : 'valid',
      notes: seen.map(({ type, message, marked }) => `${type}: ${message} [${marked}]`),
      errors: fatal.map(({ message, marked }) => ({ message, marked })),
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { verdict: 'crash', notes: [`crash: ${message}`], errors: [{ message, marked: '' }] };
  }
}
