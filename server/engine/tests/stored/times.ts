/** Reads dates and times in the forms of ISO 8601, as PostgreSQL does. Most of its other forms depend on settings. */
import { type Modifiers, refused, type StoredText, storeText, trimSpace, uncertain } from './storedText.ts';

interface Moment {
  /** A day such as `2024-01-02`. */
  readonly date: string;
  /** A time such as `03:04:05`. */
  readonly clock: string;
  /** The digits of the fraction without zeros at the end. */
  readonly fraction: string;
  /** The minutes by which the zone is ahead of UTC, which is the default. */
  readonly offset: number;
}

export function readDate(text: string): StoredText {
  const moment = readMoment(text, []);
  return 'date' in moment ? storeText(moment.date) : moment;
}

/** Reads a time of day without a zone. */
export function readTime(text: string, modifiers: Modifiers): StoredText {
  const word = trimSpace(text);
  if (!/^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(word)) return judgeOther(word);
  const moment = readMoment(`2000-01-01 ${word}`, modifiers);
  return 'date' in moment ? storeText(timeOf(moment)) : moment;
}

/** PostgreSQL ignores the zone of a text here. */
export function readTimestamp(text: string, modifiers: Modifiers): StoredText {
  const moment = readMoment(text, modifiers);
  return 'date' in moment ? storeText(`${moment.date} ${timeOf(moment)}`) : moment;
}

/** A moment without a zone is in UTC. */
export function readTimestampWithZone(text: string, modifiers: Modifiers): StoredText {
  const moment = readMoment(text, modifiers);
  if (!('date' in moment)) return moment;
  const { date, clock, offset } = moment;
  const inUtc = new Date(Date.parse(`${date}T${clock}Z`) - offset * 60_000).toISOString();
  const [, day, time] = /^(?!0000)(\d{4}-\d\d-\d\d)T(.{8})/.exec(inUtc) ?? [];
  if (day === undefined || time === undefined) return uncertain;
  return storeText(`${day} ${timeOf({ ...moment, clock: time })}+00`);
}

function timeOf({ clock, fraction }: Moment): string {
  return fraction === '' ? clock : `${clock}.${fraction}`;
}

const forms =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?: ?(?:Z|([+-])(\d\d)(?::?(\d\d))?))?)?$/i;

/** The modifier is the number of digits of the fraction. PostgreSQL stores microseconds. */
function readMoment(text: string, [digits = 6]: Modifiers): Moment | StoredText {
  const word = trimSpace(text);
  const found = forms.exec(word);
  if (found === null) return judgeOther(word);
  const [, date = '', hour = '00', minute = '00', second = '00', written = '', sign, ...zone] = found;
  const [hours = 0, minutes = 0] = zone.map((part) => Number(part ?? 0));
  const isOfCalendar = !date.startsWith('0000') && isDay(date);
  if (!isOfCalendar || Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60) return refused;
  if (hours > 15 || minutes > 59) return refused;
  const fraction = written.replace(/0+$/, '');
  // These times can move to the next minute or day, and a longer fraction would be rounded.
  if (hour === '24' || second === '60' || fraction.length > digits) return uncertain;
  const offset = (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
  return { date, clock: `${hour}:${minute}:${second}`, fraction, offset };
}

function isDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

/** Judges a text in another form. Every date and time has digits, except for some words. */
function judgeOther(word: string): StoredText {
  const mayBeTime = /\d|now|today|tomorrow|yesterday|epoch|inf|allballs/i.test(word);
  return !mayBeTime || /^\d{1,3}$/.test(word) ? refused : uncertain;
}
