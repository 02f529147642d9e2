/** Copies a text to the clipboard. Browsers allow this only in secure contexts. */
export async function writeClipboard(text: string): Promise<void> {
  if (!isSecureContext)
    throw new Error(
      'Browsers copy only from pages at localhost or over HTTPS. Open the console at such an address.',
    );
  await navigator.clipboard.writeText(text);
}
