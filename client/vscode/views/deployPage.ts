/**
 * The page that asks before a deploy, next to the comparison of the texts. It is not modal, so that the user can read both and the
 * rest of the project before answering. At most one is open.
 */
import { commands, env, l10n, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { DeployPage } from '../../deploying/page.ts';
import { deployView } from './reloadedDeployPage.ts';

interface PageQuestion {
  readonly title: string;
  /** The address of the service, or other facts about the target. */
  readonly about: string;
  readonly page: DeployPage;
  /** The text of the button that deploys. */
  readonly yes: string;
}

let open: WebviewPanel | undefined;

/** Reveals the page if it is open. */
export function revealDeployPage(): boolean {
  open?.reveal();
  return open !== undefined;
}

/** Asks the user. Closing the page, or aborting the signal, means no. */
export function askOnPage(question: PageQuestion, signal?: AbortSignal): Promise<boolean> {
  open?.dispose();
  const panel = window.createWebviewPanel(deployView, question.title, ViewColumn.Beside, {
    enableScripts: true,
    localResourceRoots: [],
  });
  open = panel;
  return new Promise((resolve) => {
    let isYes = false;
    const end = (): void => void panel.dispose();
    panel.webview.onDidReceiveMessage(async (message: unknown) => {
      isYes = message === 'yes';
      // If the page had the focus when it is closed, nothing would have it.
      await commands.executeCommand('workbench.action.focusPreviousGroup');
      end();
    });
    panel.onDidDispose(() => {
      if (open === panel) open = undefined;
      signal?.removeEventListener('abort', end);
      resolve(isYes);
    });
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    else panel.webview.html = htmlOf(question, env.language, crypto.randomUUID());
  });
}

/** Returns the whole page. It allows no script or style except its own. */
function htmlOf({ title, about, page, yes }: PageQuestion, language: string, nonce: string): string {
  const isBlocked = page.blocks.length > 0;
  const deploy = { answer: 'yes', text: isBlocked ? l10n.t('Deploy Anyway') : yes };
  const cancel = { answer: 'no', text: l10n.t('Cancel') };
  const [first, second] = isBlocked ? [cancel, deploy] : [deploy, cancel];
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="${safe(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${safe(title)}</title>
<style nonce="${nonce}">${styles}</style>
</head>
<body>
<main>
<h1>${safe(title)}</h1>
<p class="about">${safe(about)}</p>
${isBlocked ? `<section class="blocks"><h2>${safe(l10n.t('Blocks this deploy'))}</h2>${list(page.blocks)}</section>` : ''}
${page.notes.map((note) => `<p>${safe(note)}</p>`).join('\n')}
<div class="actions">
<button id="default" class="primary" data-answer="${first.answer}">${safe(first.text)}</button>
<button data-answer="${second.answer}">${safe(second.text)}</button>
</div>
${page.sections.map(sectionHtml).join('\n')}
</main>
<script nonce="${nonce}">${script}</script>
</body>
</html>`;
}

function sectionHtml({ title, facts }: DeployPage['sections'][number]): string {
  const rows = facts.map(
    ({ label, lines }) =>
      `<dt>${safe(label)}</dt><dd>${lines.map((line) => `<div>${safe(line)}</div>`).join('')}</dd>`,
  );
  return `<section><h2>${safe(title)}</h2><dl>${rows.join('')}</dl></section>`;
}

function list(lines: readonly string[]): string {
  return `<ul>${lines.map((line) => `<li>${safe(line)}</li>`).join('')}</ul>`;
}

function safe(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Escape means no, as in a dialog. */
const script = `
const code = acquireVsCodeApi();
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => code.postMessage(button.dataset.answer));
addEventListener('keydown', (event) => { if (event.key === 'Escape') code.postMessage('no'); });
document.getElementById('default').focus();
`;

const styles = `
body { color: var(--vscode-foreground); background: var(--vscode-editor-background); padding: 0 20px 20px; line-height: 1.5; }
main { max-width: 760px; }
h1 { font-size: 1.5em; font-weight: 600; margin: 16px 0 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1em; font-weight: 600; margin: 0 0 6px; overflow-wrap: anywhere; }
p { margin: 8px 0; }
.about { color: var(--vscode-descriptionForeground); margin: 0 0 12px; overflow-wrap: anywhere; }
section { border-top: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder)); padding: 12px 0; }
.blocks { border: 1px solid var(--vscode-inputValidation-warningBorder, var(--vscode-contrastBorder)); border-left-width: 4px;
  background: var(--vscode-inputValidation-warningBackground); color: var(--vscode-inputValidation-warningForeground, inherit);
  padding: 8px 12px; margin: 0 0 12px; }
ul { margin: 0; padding-left: 20px; }
dl { display: grid; grid-template-columns: minmax(90px, max-content) 1fr; gap: 4px 16px; margin: 0; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.actions { display: flex; gap: 8px; position: sticky; top: 0; padding: 10px 0; background: var(--vscode-editor-background); }
button { font: inherit; padding: 4px 14px; border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px; cursor: pointer;
  color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); }
button:hover { background: var(--vscode-button-secondaryHoverBackground); }
button.primary { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
button.primary:hover { background: var(--vscode-button-hoverBackground); }
button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
`;
