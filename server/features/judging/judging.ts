/** The door of this room: what a program that writes a config is told of it, in one answer each. */
export { describeStreams } from './descriptions.ts';
export { codesInOrder, languageReference } from './reference.ts';
export { repairsOf } from './repairs.ts';
