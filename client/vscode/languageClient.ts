/** What the extension loads with the first sync config that is open: it is large, and most YAML files are others'. */
export { LanguageClient, TransportKind } from 'vscode-languageclient/node';
