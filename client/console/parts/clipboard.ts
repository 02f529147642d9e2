/** Puts a text into the clipboard. Browsers allow it only where nobody on the way can change the page. */
export async function writeClipboard(text: string): Promise<void> {
  if (!isSecureContext)
    throw new Error(
      'Browsers copy only from pages at localhost or over HTTPS. Open the console at such an address.',
    );
  await navigator.clipboard.writeText(text);
}
