import { whitespace } from '../../regular-expression/translate-expression.ts';
import { type ConstraintRule, type ConstraintRules, exact, looser } from '../rule/constraint.ts';
import { optionsOf, patternRule, shapeRule, textRule } from './text-rule.ts';

const hour = '(?:[01][0-9]|2[0-3])';
const minute = '[0-5][0-9]';

const rfc3339 =
  '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:[12][0-9]|0[1-9]|3[01])[ tT]' +
  `${hour}:${minute}:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[zZ]|[-+]${hour}:${minute})$`;

/**
 * ISO 8601 as validator.js reads it. Its expression has lookaheads and backreferences. They require that a date has all of
 * its separators or none, and a time likewise, and reject a year and month without separator (`202611` could be a day of
 * the year).
 */
function iso8601(hasStrictSeparator: boolean): string {
  const month = '(?:0[1-9]|1[0-2])';
  const day = '(?:[12][0-9]|0[1-9]|3[01])';
  const week = 'W(?:[0-4][0-9]|5[0-3])(?:-?[1-7])?';
  const dayOfYear = '(?:00[1-9]|0[1-9][0-9]|[12][0-9]{2}|3(?:[0-5][0-9]|6[1-6]))';
  const fraction = '(?:[.,][0-9]+)';
  const seconds = `(?:[0-5][0-9]${fraction}?)`;
  const zone = `(?:[zZ]|[+-]${hour}:?(?:${minute})?)?`;
  const time =
    `(?:${hour}:${minute}(?:${fraction}|:${seconds})?` +
    `|(?:(?:${hour}(?:${minute})?|24:?00)${fraction}?)?${seconds}?)${zone}`;
  const start = hasStrictSeparator ? 'T' : `[T${whitespace}]`;
  const separated = `-(?:${month}(?:-${day})?|${week}|${dayOfYear})`;
  const compact = `(?:${month}${day}|${week}|${dayOfYear})`;
  return `^[+-]?[0-9]{4}(?:(?:${separated}|${compact})(?:${start}${time})?|${month}T${time})?$`;
}

const strict = looser('with the option strict the validator also checks the number of days of the month');

function isoDate(decorator?: string): ConstraintRule {
  return {
    ...(decorator === undefined ? {} : { decorator }),
    ...textRule((parameters) => {
      const options = optionsOf(parameters);
      const pattern = iso8601(Boolean(options['strictSeparator']));
      return { all: [{ pattern }], outcome: options['strict'] ? strict : exact };
    }),
  };
}

/** Decorators for dates and times. The server's formats `date` and `date-time` accept other sets. */
export const timeRules: ConstraintRules = {
  isMilitaryTime: patternRule(`^${hour}:?${minute}$`),
  isRFC3339: patternRule(rfc3339),
  isDateString: isoDate(),
  isIso8601: isoDate('IsISO8601'),
  isTimeZone: shapeRule(
    `^(?:[A-Za-z][A-Za-z0-9_+/-]*|[+-]${hour}(?::?${minute})?)$`,
    'the validator checks the time zones of the runtime, but the schema checks only the format of a name or an offset',
  ),
};
