/** Whether the Node of this editor can run the service, which keeps its data in a database that is part of Node. */
export function canRunService(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 16);
}
