/** The entrance of this room: everything that a program which writes configs can ask, with one function for each question. */
export { describeStreams } from './descriptions.ts';
export { codesInOrder, languageReference } from './reference.ts';
export { repairsOf } from './repairs.ts';
