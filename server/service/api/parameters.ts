/** Checks of parameters. Each returns its problems as sentences. */
import type { Parameters } from '../http/route.ts';

type Check = (parameters: Parameters) => readonly string[];

export function requireText(name: string): Check {
  return (parameters) => {
    if (parameters[name] === undefined) return [`The property '${name}' is missing.`];
    return typeof parameters[name] === 'string' ? [] : [`The property '${name}' must be a string.`];
  };
}

export function allowText(name: string): Check {
  return (parameters) => (parameters[name] === undefined ? [] : requireText(name)(parameters));
}

/** The maximum length of a name, which must fit into a line. */
const longestName = 100;

export function allowName(name: string): Check {
  return (parameters) => {
    const value = parameters[name];
    if (value === undefined) return [];
    const isName = typeof value === 'string' && value.length <= longestName && !/[\p{Cc}\p{Cf}]/u.test(value);
    return isName && value.trim() !== ''
      ? []
      : [`The property '${name}' must be a name of at most ${longestName} visible characters.`];
  };
}

export function allowBoolean(name: string): Check {
  return ({ [name]: value }) =>
    value === undefined || typeof value === 'boolean'
      ? []
      : [`The property '${name}' must be true or false.`];
}

/** Allows only this parameter, which must be a list with at least one string. */
export function allowTexts(allowed: string): Check {
  return (parameters) =>
    Object.entries(parameters).flatMap(([name, value]) => {
      if (name !== allowed) return [`The property '${name}' is not expected here.`];
      const isList = Array.isArray(value) && value.length > 0;
      return isList && value.every((each) => typeof each === 'string')
        ? []
        : [`The property '${name}' must be a list of strings.`];
    });
}
