/**
 * The code that the extension loads with the first open sync config, because it is large, and most YAML files belong to other
 * programs.
 */
export { LanguageClient, TransportKind } from 'vscode-languageclient/node';
