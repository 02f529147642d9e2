/** The page of the console in a webview. It loads only files of this extension, and allows no inline scripts or styles. */
import { Uri, type Webview } from 'vscode';

/** Returns the folder of the console's files. */
export function consoleFolder(extension: Uri): Uri {
  return Uri.joinPath(extension, 'dist/console');
}

export function consolePage(
  webview: Pick<Webview, 'asWebviewUri' | 'cspSource'>,
  extension: Uri,
  nonce: string = crypto.randomUUID(),
): string {
  const file = (name: string) =>
    webview.asWebviewUri(Uri.joinPath(consoleFolder(extension), name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' ${webview.cspSource}`,
    `style-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    `font-src ${webview.cspSource}`,
  ].join('; ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Headwater</title>
    <link rel="stylesheet" href="${file('console.css')}" />
    <script type="module" nonce="${nonce}" src="${file('console.js')}"></script>
  </head>
  <body>
    <div id="console"></div>
  </body>
</html>
`;
}
