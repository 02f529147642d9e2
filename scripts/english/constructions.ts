/**
 * Constructions that a native reader has to read twice. `test/fixtures/english/pairs.json` contains an example of each, with a
 * better sentence.
 */

/** The kind of a text: a comment, the title of a rule, error or test, a message for users, or a page. */
export type TextKind = 'comment' | 'title' | 'message' | 'page';

export interface Construction {
  readonly name: string;
  readonly pattern: RegExp;
  readonly in: readonly TextKind[];
  /** Advice for the author. */
  readonly advice: string;
}

const everywhere: readonly TextKind[] = ['comment', 'title', 'message', 'page'];
const comments: readonly TextKind[] = ['comment'];
const forUsers: readonly TextKind[] = ['title', 'message'];

export const constructions: readonly Construction[] = [
  {
    name: 'comment without a subject',
    pattern:
      /^(?:Of|Without|With|For those|So that|Until|As|In|On|From|To|By|At|Between|Among|Besides|Beside|While|Where|How(?! (?:many|much|often|far|long)\b)|Because|Also|Only|Else|Otherwise|Likewise|Differs?|Undefined (?:if|while|when|where|without|until)|True (?:only )?(?:if|while|when)|False (?:if|while|when)|None|Such)\b(?! (?:case|addition|contrast|fact|particular|PostgreSQL|VS Code)\b)/,
    in: comments,
    advice:
      'Begin with the subject: a noun for a value, a verb for a function ("Returns …"), "Whether" for a boolean.',
  },
  {
    name: 'comment that begins with a pronoun',
    pattern:
      /^(?:It|They|All that|All of|Nobody|Somebody|Whoever|Who|Which|What(?! the console can ask)|Others?|Each of these)\b|^(?:This|That|These|Those|More|Some|One)(?:[,.:;]| (?:is|are|was|were|has|have|can|may|that|of|in|with|which|who|than|or|by)\b)/,
    in: comments,
    advice: 'Name the thing that the comment documents.',
  },
  {
    name: 'comment that is only a unit',
    pattern: /^(?:(?:In )?(?:milli)?seconds|Minutes|Bytes|Characters|Rows|Pixels|Hours|Days)\.?$/i,
    in: comments,
    advice: 'Put the unit into the name, or write a sentence: "Delay between retries, in milliseconds."',
  },
  {
    name: 'relative clause as a noun',
    pattern:
      /\b[Ww]hat (?:is|are|was|were|(?:has|have)(?! been)|had|you see|one|nobody|somebody|it (?:is|was|has))\b(?! (?:it|this|that)\?)|\bone of those (?:that|who|which)\b|^(?:All|Those|One|Ones|[A-Z]\w+s) that (?:are|were|do|does)\b|\b(?:could|can) not .{0,40}\bhas said\b|\bof which was\b/,
    in: everywhere,
    advice: 'Use a noun: "the deployed config" instead of "what is deployed".',
  },
  {
    name: 'text that begins with a relative clause',
    pattern: /^(?:What(?! to do(?!:))|Where it|How|As the|It)\b/i,
    in: ['message'],
    advice: 'Begin with a noun or an imperative.',
  },
  {
    name: 'sentence that begins with a relative clause',
    pattern: /(?:[.…:→] )(?:What(?! (?:to|does|happens|follows))|Who(?:ever)?|It has no) \w/,
    in: everywhere,
    advice: 'Name the subject of the sentence.',
  },
  {
    name: 'title with an article',
    pattern: /^(?:An?|The) /,
    in: ['title'],
    advice: 'Name the mistake as a user would search for it: "Unknown request function".',
  },
  {
    name: 'is no …',
    pattern: /(?<!\b[Tt]here )\b(?:is|are|was|were|became|becomes?) no (?!longer\b|more\b|matter\b)\w+/,
    in: everywhere,
    advice: 'Negate the verb: "is not a sync config".',
  },
  {
    name: 'there is not',
    pattern: /\bThere is not an?\b|^There is no [\w ]+: it\b|\band there (?:is|are) none\b/,
    in: everywhere,
    advice: 'Name what is missing: "No sync config found in this folder."',
  },
  {
    name: 'simple present for a state',
    pattern: /^(?:does|do) not run\b/,
    in: forUsers,
    advice: 'Use the progressive: "is not running".',
  },
  {
    name: 'says, tells',
    pattern: /\b(?:(?:is|are|was|were) told|tells? (?:that|of|more|whether|nothing)|says? (?:that|of)\b)/,
    in: everywhere,
    advice: 'Use "report", "show" or "return".',
  },
  {
    name: 'has only, decide who',
    pattern: /\bhas only \w+\(|\bdecides? who\b|\bas fast as (?:it|they) can\b/,
    in: everywhere,
    advice: 'Name the problem and the possible values, or the members.',
  },
  {
    name: 'nobody, somebody',
    pattern: /\bkeeps nobody\b|\bnobody is surely\b|\bto nobody but\b|\bwhere nothing\b/i,
    in: everywhere,
    advice: 'Name the user, the caller or the client.',
  },
  {
    name: 'whoever',
    pattern: /\b[Ww]hoever\b/,
    in: everywhere,
    advice: 'Name the user, the caller or the client.',
  },
  {
    name: 'goes on',
    pattern: /\b(?:goes|go|going|went) on\b(?! to\b)/,
    in: everywhere,
    advice: 'Use "continue".',
  },
  {
    name: 'stands at, stands in',
    pattern: /\bstands? (?:at|in|beside|for|before|after|between|under|above|below|alone|side by side)\b/,
    in: everywhere,
    advice: 'Use "is".',
  },
  {
    name: 'word of the dialect',
    pattern:
      /\banew\b|\bonce more\b|\bat the (?:most|least)\b|\bby itself alone\b|\bon (?:its|their) own accord\b|\bas a whole\b|\bneeds a look\b|\bin words\b|\b[Aa] damage\b|\bso (?:many|long) (?:take|as this)\b|\bas late as this\b|\bbegins? anew\b/,
    in: everywhere,
    advice:
      'Use the ordinary word: "again", "at most", "on its own", "entire", "problems", "in plain English".',
  },
  {
    name: 'afterthought at the end',
    pattern: /(?:, too|, all the same|, and so on|, as well|\bthe other)\.(?: |$)/,
    in: everywhere,
    advice: 'Use "also" before the verb, "still", or name the things.',
  },
];

/** Returns the constructions in a text. */
export function constructionsIn(text: string, kind: TextKind): readonly Construction[] {
  return constructions.filter(({ pattern, in: kinds }) => kinds.includes(kind) && pattern.test(text));
}
