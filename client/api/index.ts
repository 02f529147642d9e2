/** Loaded with the first call: the HTTP client is large. */
export { openApi } from './api.ts';
