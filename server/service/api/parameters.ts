/** Checks of parameters. Each returns its problems as sentences. */
import { isUserName, longestUserName } from '../../shared/userName.ts';
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

export function allowUserName(name: string): Check {
  return ({ [name]: value }) =>
    value === undefined || (typeof value === 'string' && isUserName(value))
      ? []
      : [`The property '${name}' must be a name of at most ${longestUserName} visible characters.`];
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
